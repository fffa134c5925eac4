package clientlab.articles.audit

import clientlab.*
import clientlab.audit.*
import clientlab.client.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.run.*
import org.jetbrains.kotlinx.dataframe.AnyFrame
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Finds the limits of your own client by experiment: the most requests that it holds in flight, the owner of that limit, what happens to
 * further requests, and how long it waits before it gives up.
 *
 * The load rises to [upTo] requests, which the server does not answer for [patience]. It takes a minute at most. It uses one fork per
 * number of hosts; [limitExperiment] has more forks, and gives the trials behind the report.
 */
public fun audit(client: CellClient, upTo: Int = 2_000, patience: Duration = USUAL_PATIENCE): AnyFrame =
    limitExperiment(listOf(client.info), upTo, patience).copy(own = listOf(client)).run().limits()

/** Finds the limits of clients of the catalogue, as in `audit("okhttp@default")`. */
public fun audit(vararg ids: String, upTo: Int = 2_000, patience: Duration = USUAL_PATIENCE): AnyFrame =
    limitExperiment(clients(*ids), upTo, patience).run().limits()

/** The experiment that [audit] runs, if you want its trials: `limitExperiment(clients("okhttp@default")).run()`. */
public fun limitExperiment(clients: List<ClientInfo>, upTo: Int = 2_000, patience: Duration = USUAL_PATIENCE): Experiment<Audit> =
    Experiment("audit", Audit(clients, upTo, patience = patience), forks = 1)

private val USUAL_PATIENCE = 20.seconds
