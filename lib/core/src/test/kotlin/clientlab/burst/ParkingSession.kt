package clientlab.burst

import clientlab.client.*
import clientlab.testing.*
import kotlinx.coroutines.runBlocking

/** Blocks each caller by parking it, as the JDK's blocking send does. */
internal class ParkingSession(conditions: Conditions) : BlockingSession(CallerThreads.Platform) {
    private val async = AsyncSession(conditions)

    override fun call(request: Request): Reply = runBlocking { async.send(request) }

    override fun close() {
        async.close()
        super.close()
    }
}
