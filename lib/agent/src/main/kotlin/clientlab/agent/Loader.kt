package clientlab.agent

import java.lang.reflect.InvocationTargetException
import java.nio.file.Path
import kotlin.system.exitProcess

/**
 * The program in the agent's jar: loads the agent into another JVM of this user, and lists those JVMs. It is a process of its own, because a
 * JVM may not attach to itself. The attach mechanism is called by reflection, because a Java without the module `jdk.attach` compiles this
 * too.
 */
public object Loader {
    private const val MACHINE = "com.sun.tools.attach.VirtualMachine"

    /** `pid options` loads the agent into `pid` with these options; without arguments the JVMs are listed. Ends with 1 and a sentence. */
    @JvmStatic
    public fun main(arguments: Array<String>) {
        try {
            if (arguments.isEmpty()) list() else load(arguments[0], arguments[1])
        } catch (_: ClassNotFoundException) {
            refuse("This Java (${System.getProperty("java.version")}) has no attach mechanism: use a whole JDK.")
        } catch (e: InvocationTargetException) {
            val cause = e.targetException
            refuse(
                "The JVM ${arguments.firstOrNull().orEmpty()} does not let anybody attach: ${cause.message ?: cause}. It must be of the same user, and allow it.",
            )
        }
    }

    private fun load(pid: String, options: String) {
        val jar = Path.of(Loader::class.java.protectionDomain.codeSource.location.toURI())
        val jvm = machine().getMethod("attach", String::class.java).invoke(null, pid)
        try {
            machine().getMethod("loadAgent", String::class.java, String::class.java).invoke(jvm, "$jar", options)
        } finally {
            machine().getMethod("detach").invoke(jvm)
        }
    }

    /** A line for each: its process id, a blank, and what it runs. */
    private fun list() {
        val all = machine().getMethod("list").invoke(null) as List<*>
        val own = ProcessHandle.current().pid().toString()
        all.filterNotNull().filter { it.said("id") != own }.forEach { println("${it.said("id")} ${it.said("displayName")}") }
    }

    private fun machine(): Class<*> = Class.forName(MACHINE)

    private fun Any.said(name: String): String = javaClass.getMethod(name).invoke(this) as String

    private fun refuse(sentence: String): Nothing {
        System.err.println(sentence)
        exitProcess(1)
    }
}
