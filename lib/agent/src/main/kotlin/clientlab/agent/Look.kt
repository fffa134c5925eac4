package clientlab.agent

import java.lang.instrument.Instrumentation
import java.lang.management.ManagementFactory
import java.lang.ref.WeakReference

/** One look at this JVM: its client libraries, its threads, and the limits that objects of it hold. */
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
        val limits = found.limitsAsIn(fromOwn)
        known = limits.map { (holder, limit) -> Known(WeakReference(holder), limit.path) }
        return Json.of(
            mapOf(
                "java" to System.getProperty("java.version"),
                "command" to System.getProperty("sun.java.command", "").substringBefore(' '),
                "uptimeMs" to ManagementFactory.getRuntimeMXBean().uptime,
                "libraries" to Libraries.among(loaded.asList()).map { it.asMap() },
                "threads" to threads.groups().map { it.asMap() },
                "limits" to limits.map { (_, limit) -> limit.asMap() },
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

    /** An object that holds limits, and the way to it. */
    private class Known(val holder: WeakReference<Any>, val path: String)

    companion object {
        private const val NS_PER_MS = 1_000_000

        @Volatile
        private var known: List<Known> = emptyList()

        /** A look at what the last one found: its limits as they are now, and the threads. It takes milliseconds. */
        fun again(): String {
            val began = System.nanoTime()
            val now = known.distinctBy { System.identityHashCode(it.holder.get()) }.flatMap { limit ->
                limit.holder.get()?.let { holder -> Limits.of(holder).map { it.at(limit.path) } }.orEmpty()
            }
            return Json.of(
                mapOf(
                    "uptimeMs" to ManagementFactory.getRuntimeMXBean().uptime,
                    "threads" to ServiceThreads.now().groups().map { it.asMap() },
                    "limits" to now.map { it.asMap() },
                    "tookMs" to (System.nanoTime() - began) / NS_PER_MS,
                ),
            )
        }
    }
}
