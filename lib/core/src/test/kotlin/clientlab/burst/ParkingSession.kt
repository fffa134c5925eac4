package clientlab.burst

import clientlab.client.BlockingSession
import clientlab.client.CallerThreads
import clientlab.client.Conditions
import clientlab.client.Reply
import clientlab.client.Request
import clientlab.testing.AsyncSession
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
