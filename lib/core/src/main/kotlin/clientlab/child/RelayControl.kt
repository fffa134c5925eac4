package clientlab.child

import clientlab.*
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import java.io.IOException
import java.net.URI
import kotlin.time.DurationUnit

/** Changes what the network of a relay does, at its control port, [port]. Throws an [IOException] with one sentence if it does not take that. */
public class RelayControl(public val port: Int) {
    /**
     * From now on the network is [wire]. While it is [silent], everything that enters it vanishes, and no end of a connection is seen. A
     * connection that lost something stays dead for good.
     */
    public fun set(wire: Wire, silent: Boolean = false) {
        val asked = buildJsonObject {
            put("rttMs", wire.rtt.toDouble(DurationUnit.MILLISECONDS))
            put("jitterMs", wire.jitter.toDouble(DurationUnit.MILLISECONDS))
            put("bytesPerSecond", wire.bytesPerSecond)
            put("lossShare", wire.loss)
            put("silent", silent)
        }
        ask("wire", "$asked")
    }

    /** Resets every connection that is open, the dead ones too. */
    public fun reset(): Unit = ask("reset", "{}")

    private fun ask(path: String, text: String) {
        try {
            post(URI("http://127.0.0.1:$port/$path"), text)
        } catch (e: IOException) {
            throw IOException("the wire could not be set: ${e.message}", e)
        }
    }
}
