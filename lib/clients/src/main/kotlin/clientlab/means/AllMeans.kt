package clientlab.means

import clientlab.workload.MeansCatalogue
import clientlab.workload.MeansEntry

/** Every means there is: the JDK's own first, then ours, then the libraries', and the plain loop they are all held against. */
public class AllMeans : MeansCatalogue {
    override val entries: List<MeansEntry> =
        listOf(
            StreamMeans.entry,
            RandomAccessMeans.entry,
            ChannelMeans.entry,
            AsyncChannelMeans.entry,
            CoroutineMeans.entry,
            KtorMeans.entry,
            KotlinxIoMeans.entry,
            OkioMeans.entry,
            NettyMeans.entry,
            PlainLoopMeans.entry,
        )
}
