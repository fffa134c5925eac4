package clientlab.ioapi

import clientlab.client.*
import clientlab.transfer.*

/**
 * Every means: the JDK's own first, then ours, then those of libraries, and last the plain loop, which is the baseline for all of them. A fork
 * with another version of one library has the jars of that one alone, so the others are left out there.
 */
public class AllIoApis : IoApiCatalogue {
    override val entries: List<IoApiEntry> = listOf<() -> IoApiEntry>(
        { StreamApi.entry },
        { RandomAccessApi.entry },
        { ChannelApi.entry },
        { AsyncChannelApi.entry },
        { CoroutineApi.entry },
        { KtorApi.entry },
        { KotlinxIoApi.entry },
        { OkioApi.entry },
        { NettyApi.entry },
        { PlainLoopApi.entry },
    ).mapNotNull(::unlessAbsent)

    private fun unlessAbsent(entry: () -> IoApiEntry): IoApiEntry? =
        try {
            entry()
        } catch (_: NoClassDefFoundError) {
            null
        }

    /** What each library needs that also runs in other versions than the lab's own, by [IoApiInfo.library]. */
    public val libraries: Map<String, LibraryNeeds> get() = mapOf(KtorApi.entry.info.library to LibraryNeeds(from = "1.5.0"))
}
