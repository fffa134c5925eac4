package clientlab.articles.limits

import clientlab.notebook.frame.*

/**
 * The owner of a stack: the library of its innermost frame that is not Java's, not Kotlin's and not native.
 *
 * So a write into a socket counts for the library that wrote. A stack without a library counts for the purpose of its thread.
 */
internal object Owners {
    const val COMPILER = "JIT compiler"
    const val COLLECTOR = "garbage collector"
    const val JVM = "Java alone"
    const val HARNESS = "harness and adapter"

    /** The name of frames without a library in a legend of colours. */
    const val OTHERS = "Java, Kotlin and the JVM"

    /** The owners that are not a library under test. */
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

    /** The library of [frame], or null if the frame is Java's, Kotlin's or native. */
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

    /** Libraries first, in the order in which a request meets them, then the other owners. */
    fun inOrder(owners: Collection<String>): List<String> =
        ORDER.filter { it in owners } + owners.filter { it !in ORDER && it !in NO_LIBRARY }.sorted() + NO_LIBRARY.filter { it in owners }
}
