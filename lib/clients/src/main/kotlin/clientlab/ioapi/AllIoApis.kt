package clientlab.ioapi

import clientlab.transfer.*

/** Every means: the JDK's own first, then ours, then those of libraries, and last the plain loop, which is the baseline for all of them. */
public class AllIoApis : IoApiCatalogue {
    override val entries: List<IoApiEntry> = listOf(
        StreamApi.entry,
        RandomAccessApi.entry,
        ChannelApi.entry,
        AsyncChannelApi.entry,
        CoroutineApi.entry,
        KtorApi.entry,
        KotlinxIoApi.entry,
        OkioApi.entry,
        NettyApi.entry,
        PlainLoopApi.entry,
    )
}
