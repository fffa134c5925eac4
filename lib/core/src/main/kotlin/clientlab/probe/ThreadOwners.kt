package clientlab.probe

import clientlab.*
import clientlab.client.*

/** Finds the owner of a platform thread by its name: first the client's own rules, then those of the JVM and of kotlinx.coroutines. */
public class ThreadOwners(rules: List<ThreadOwner>) {
    private val compiled = (rules + COMMON).map { Regex(it.thread) to it.owner }

    /** The owner's name, or `other` if no rule matches. */
    public fun of(threadName: String): String = compiled.firstOrNull { (name, _) -> name.matches(threadName) }?.second ?: "other"

    public companion object {
        /** The prefix of the names of the harness's own threads, which no count includes. */
        public const val HARNESS_PREFIX: String = "lab-"

        internal const val HARNESS: String = "harness"
        internal const val JVM: String = "JVM"

        public const val COROUTINES: String = "coroutine workers"

        private val COMMON = listOf(
            ThreadOwner("$HARNESS_PREFIX.*", HARNESS),
            ThreadOwner("main", "main"),
            ThreadOwner("${BlockingSession.CALLER}\\d+", "caller threads"),
            ThreadOwner("DefaultDispatcher-worker-\\d+|kotlinx\\.coroutines\\.DefaultExecutor", COROUTINES),
            ThreadOwner("ForkJoinPool-\\d+-(worker-\\d+|delayScheduler)", "carrier threads"),
            ThreadOwner("ForkJoinPool\\.commonPool-(worker|delayScheduler).*", "common pool"),
            ThreadOwner("HttpClient-\\d+-SelectorManager", "java.net.http selector"),
            ThreadOwner("HttpClient-\\d+-Worker-\\d+", "java.net.http workers"),
            ThreadOwner("Keep-Alive-Timer", "HttpURLConnection timer"),
            ThreadOwner(
                "Reference Handler|Finalizer|Signal Dispatcher|Attach Listener|Notification Thread|Common-Cleaner|Cleaner-\\d+|" +
                    "process reaper.*|.*-Poller.*|.*Poller|VirtualThread-un(parker|blocker).*|JFR .*|Java2D Disposer|" +
                    "CompletableFutureDelayScheduler|Service Thread|Monitor Deflation Thread|C[12] CompilerThread.*",
                JVM,
            ),
        )
    }
}
