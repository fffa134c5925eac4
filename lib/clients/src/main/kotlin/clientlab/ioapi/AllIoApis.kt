package clientlab.ioapi

import clientlab.transfer.IoApiCatalogue
import clientlab.transfer.IoApiEntry

/** Every means there is: the JDK's own first, then ours, then the libraries', and the plain loop they are all held against. */
public class AllIoApis : IoApiCatalogue {
    override val entries: List<IoApiEntry> =
        listOf(
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
