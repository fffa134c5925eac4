package clientlab.notebook.attach

import clientlab.*
import clientlab.notebook.home.*
import java.lang.reflect.InvocationTargetException
import java.nio.file.Path
import kotlin.io.path.exists

/** Loads the agent into a running JVM, through the JDK's attach mechanism. A Java without the module `jdk.attach` cannot. */
internal object RunningJvm {
    private const val JAR = "lib/agent/target/agent.jar"
    private const val MACHINE = "com.sun.tools.attach.VirtualMachine"

    fun look(pid: Long, to: Path) {
        refuseUnless(ProcessHandle.of(pid).isPresent) { "There is no process $pid. These JVMs can be seen: ${others()}." }
        refuseUnless(pid != ProcessHandle.current().pid()) {
            "$pid is this process itself: give that of a service. These JVMs can be seen: ${others()}."
        }
        val agent = LabHome.root.resolve(JAR)
        refuseUnless(agent.exists()) { "The agent has not been built: run ./lab run once, which builds it." }
        try {
            val jvm = machine().getMethod("attach", String::class.java).invoke(null, "$pid")
            try {
                machine().getMethod("loadAgent", String::class.java, String::class.java).invoke(jvm, "$agent", "$to")
            } finally {
                machine().getMethod("detach").invoke(jvm)
            }
        } catch (e: InvocationTargetException) {
            val cause = e.targetException
            throw LabException(
                "The JVM $pid does not let anybody attach: ${cause.message ?: cause}. It must be of the same user, and allow it.",
                cause,
            )
        }
    }

    private fun machine(): Class<*> = try {
        Class.forName(MACHINE)
    } catch (_: ClassNotFoundException) {
        throw LabException("This Java (${System.getProperty("java.version")}) has no attach mechanism: use a whole JDK.")
    }

    /** The other JVMs of this user: process id, and what it runs. */
    fun all(): List<Pair<Long, String>> {
        val listed = runCatching { machine().getMethod("list").invoke(null) as List<*> }.getOrDefault(emptyList<Any>())
        val named = listed.filterNotNull().map {
            it
                .said(
                    "id",
                ).toLong() to it.said("displayName").substringBefore(' ').ifEmpty { "no name" }
        }
        return named.filter { (id, _) -> id != ProcessHandle.current().pid() }
    }

    private fun others(): String = all().joinToString { (id, name) -> "$id ($name)" }.ifEmpty { "none" }

    private fun Any.said(name: String): String = javaClass.getMethod(name).invoke(this) as String
}
