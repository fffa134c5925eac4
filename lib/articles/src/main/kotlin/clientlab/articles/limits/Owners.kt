package clientlab.articles.limits

import clientlab.notebook.frame.frame

/**
 * On whose behalf a stack runs: the library of its innermost frame that is neither Java's nor Kotlin's own nor native.
 *
 * So a write into a socket counts for the library that wrote. Stacks with no library in them go by what their thread is for.
 */
internal object Owners {
    const val COMPILER = "JIT compiler"
    const val COLLECTOR = "garbage collector"
    const val JVM = "Java alone"
    const val HARNESS = "harness and adapter"

    /** What a frame that belongs to no library is called where frames are told apart by colour. */
    const val OTHERS = "Java, Kotlin and the JVM"

    /** The owners that are no library under test. */
    val NO_LIBRARY: Set<String> = setOf(HARNESS, JVM, COMPILER, COLLECTOR)

    private val LIBRARIES =
        listOf(
            "io/ktor/client/engine/cio/" to "Ktor CIO",
            "io/ktor/http/cio/" to "Ktor CIO",
            "io/ktor/network/" to "Ktor CIO",
            "io/ktor/" to "Ktor",
            "okhttp3/" to "OkHttp",
            "okio/" to "Okio",
            "retrofit2/" to "Retrofit",
            "kotlinx/coroutines/" to "kotlinx.coroutines",
            "kotlin/coroutines/" to "kotlinx.coroutines",
            "kotlinx/io/" to "kotlinx-io",
            "kotlinx/serialization/" to "kotlinx.serialization",
            "com/google/gson/" to "Gson",
            "com/squareup/moshi/" to "Moshi",
            "org/apache/" to "Apache HttpClient",
            "clientlab/" to HARNESS,
        )

    private val ORDER =
        listOf("Ktor CIO", "Ktor", "OkHttp", "Okio", "Retrofit", "kotlinx-io", "kotlinx.coroutines", "kotlinx.serialization")
    private val LAST = listOf(HARNESS, JVM, COMPILER, COLLECTOR)

    /** The library that [frame] belongs to, or null where it is Java's, Kotlin's or native. */
    fun ofFrame(frame: String): String? = LIBRARIES.firstOrNull { (prefix, _) -> frame.startsWith(prefix) }?.second

    /** The owner of a stack, its thread first. */
    fun of(frames: List<String>): String {
        for (i in frames.indices.reversed()) ofFrame(frames[i])?.let { return it }
        val thread = frames.first()
        return when {
            "Compiler" in thread || frames.any { it.startsWith("CompileBroker") } -> COMPILER
            thread.startsWith("[GC ") || thread.startsWith("[G#") || thread.startsWith("[G1") -> COLLECTOR
            else -> JVM
        }
    }

    /** Libraries first, as a request meets them, then what is theirs no more. */
    fun inOrder(owners: Collection<String>): List<String> =
        ORDER.filter { it in owners } + owners.filter { it !in ORDER && it !in LAST }.sorted() + LAST.filter { it in owners }
}
