package clientlab.articles.sliders

import clientlab.*
import kotlinx.serialization.json.JsonObject
import org.jetbrains.kotlinx.jupyter.api.libraries.Comm
import org.jetbrains.kotlinx.jupyter.api.libraries.CommManager
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method
import java.lang.reflect.Proxy

/** The connection between a kernel and its front end's widgets: the `comm` messages of the Jupyter protocol. */
internal interface Comms {
    /** Opens a channel to [target]; answers go to [received]. */
    fun open(target: String, data: JsonObject, metadata: JsonObject, received: (JsonObject) -> Unit): Channel
}

/** One open channel. [send] may be called from any thread. */
internal interface Channel {
    val id: String

    fun send(data: JsonObject)
}

/**
 * The kernel's own channels.
 *
 * It is called by reflection, because the published interface is older than the kernel's, and its messages have no metadata.
 */
internal class KernelComms(private val manager: Any) : Comms {
    override fun open(target: String, data: JsonObject, metadata: JsonObject, received: (JsonObject) -> Unit): Channel {
        val open = CommManager::class.java.methods.firstOrNull { it.name == "openComm" && it.parameterCount == WITH_METADATA }
            ?: throw LabException("This kernel is too old for sliders: use 0.12 or newer, such as the one in requirements.txt.")
        val comm = open.call(manager, target, data, metadata, emptyList<ByteArray>())
        return KernelChannel(comm).also { it.listen(received) }
    }

    private companion object {
        const val WITH_METADATA = 4
    }
}

private class KernelChannel(private val comm: Any) : Channel {
    override val id: String = (comm as Comm).id
    private val send = Comm::class.java.methods.first { it.name == "send" }

    override fun send(data: JsonObject) {
        send.call(comm, data, JsonObject(emptyMap()), emptyList<ByteArray>())
    }

    fun listen(received: (JsonObject) -> Unit) {
        val onMessage = Comm::class.java.methods.first { it.name == "onMessage" }
        val callback = onMessage.parameterTypes.single()
        val listener = Proxy.newProxyInstance(callback.classLoader, arrayOf(callback)) { proxy, method, arguments ->
            when (method.name) {
                "equals" -> proxy === arguments.single()
                "hashCode" -> System.identityHashCode(proxy)
                "toString" -> "what the lab does with messages"
                else -> received(arguments.first() as JsonObject)
            }
        }
        onMessage.call(comm, listener)
    }
}

private fun Method.call(receiver: Any, vararg arguments: Any): Any = try {
    // A method without a result gives null, which is not used.
    invoke(receiver, *arguments) ?: Unit
} catch (failed: InvocationTargetException) {
    throw failed.targetException
}
