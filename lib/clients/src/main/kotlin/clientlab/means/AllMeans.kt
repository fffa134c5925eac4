package clientlab.means

import clientlab.workload.MeansCatalogue
import clientlab.workload.MeansEntry

/** Every means: the JDK's own first, then ours, then those of libraries, and last the plain loop, which is the baseline for all of them. */
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
