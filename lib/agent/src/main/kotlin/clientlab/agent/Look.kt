package clientlab.agent

import java.lang.instrument.Instrumentation
import java.lang.management.ManagementFactory

/** One look at this JVM: its client libraries, its platform threads, and the limits that objects of it hold. */
internal class Look(private val instrumentation: Instrumentation) {
    fun json(): String {
        val began = System.nanoTime()
        openAll()
        val loaded = instrumentation.allLoadedClasses
        val threads = ServiceThreads.now()
        val found = HeapWalk().apply {
            Roots(loaded.asList()).forEach(::begin)
            threads.live.forEach { begin("thread \"${it.name}\"", it) }
            walk()
        }
        // The shortest way to a limit often leads through a request that waits for it. A reader wants to know who made it.
        val fromOwn = HeapWalk().apply {
            found.own.forEach { begin(it.javaClass.name, it) }
            walk()
        }
        return Json.of(
            mapOf(
                "java" to System.getProperty("java.version"),
                "command" to System.getProperty("sun.java.command", "").substringBefore(' '),
                "uptimeMs" to ManagementFactory.getRuntimeMXBean().uptime,
                "libraries" to Libraries.among(loaded.asList()).map { it.asMap() },
                "threads" to threads.groups().map { it.asMap() },
                "limits" to found.limitsAsIn(fromOwn).map { it.asMap() },
                "numbers" to found.numbers.map { it.asMap() },
                "objects" to found.objects,
                "whole" to found.whole,
                "tookMs" to (System.nanoTime() - began) / NS_PER_MS,
            ),
        )
    }

    /** Fields of the JDK may be read from here, as those of any other class. Nothing is opened to anybody else. */
    private fun openAll() {
        val here = setOf(Look::class.java.module)
        for (module in ModuleLayer.boot().modules()) {
            if (!instrumentation.isModifiableModule(module)) continue
            instrumentation.redefineModule(module, emptySet(), emptyMap(), module.packages.associateWith { here }, emptySet(), emptyMap())
        }
    }

    private companion object {
        const val NS_PER_MS = 1_000_000
    }
}
