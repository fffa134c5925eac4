package clientlab.articles.conduct

import clientlab.*
import clientlab.client.*
import clientlab.conduct.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.run.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.toDataFrame

/**
 * What your own client does when things go wrong, worst first: time-outs, cancellations, dead connections, wrong answers, retries.
 *
 * Three forks go through every situation; where they differ, the fact says that it varies. It takes a minute or two.
 */
public fun conduct(client: CellClient): AnyFrame = conductExperiment(listOf(client.info)).copy(own = listOf(client)).run().facts()

/** What clients of the catalogue do when things go wrong, as in `conduct("okhttp", "ktor-cio")`. */
public fun conduct(vararg ids: String): AnyFrame = conductExperiment(clients(*ids)).run().facts()

/** The experiment that [conduct] runs, if you want its trials; [situations] are names of situations or of groups. */
public fun conductExperiment(clients: List<ClientInfo>, situations: List<String> = Conduct.groups): Experiment<Conduct> =
    Experiment("conduct", Conduct(clients, situations), forks = 3)

/** What server and caller do in each situation: one row each, by the name that the other tables have. */
public fun situations(): AnyFrame =
    Conduct.stories.toList().toDataFrame {
        "situation" from { it.first }
        "story" from { it.second }
    }
