package clientlab.notebook.bisect

import clientlab.*
import clientlab.notebook.journal.*
import clientlab.notebook.run.*

/** Asks candidates: a run of [Votes.LEAD] rounds for those that are open, and then another one, until each answer stands or [MOST] runs are made. */
internal class Questions(
    private val name: String,
    private val workload: (List<ClientInfo>) -> Workload,
    private val answer: Seen.() -> Any,
    private val listener: ProgressListener,
    private val told: (Step) -> Unit,
) {
    private val all = mutableListOf<Asked>()

    /** Who was asked so far. */
    val steps: List<Step> get() = all.map { it.step }

    /** Whether different answers stand for both ends, which were asked first, and chance could do that. */
    private val endsMayBeAlike: Boolean
        get() = steps.size == 2 && steps.none { it.decided == null } && steps[0].decided != steps[1].decided && !endsDiffer

    /** Whether both ends differ by more than chance. */
    val endsDiffer: Boolean get() = steps[0].votes.byChance(steps[1].votes) < Votes.CHANCE

    /** The answers of [candidates]; null where one cannot be had, or where its forks do not agree. */
    fun ask(candidates: List<Candidate>): List<String?> {
        val asked = candidates.map { Asked(it) }
        all += asked
        repeat(MOST) {
            val open = asked.filter { it.isOpen }.ifEmpty { asked.filter { endsMayBeAlike } }
            if (open.isNotEmpty()) measure(open)
        }
        asked.forEach { told(it.step) }
        return asked.map { it.step.decided }
    }

    /** Asks [candidates], which lie on the two sides of a change, until chance could hardly make it, or [MOST] runs are made of each. */
    fun assure(candidates: List<Candidate>) {
        val (before, since) = candidates.map { candidate -> all.first { it.step.candidate === candidate } }
        val known = before.runs + since.runs
        while (before.step.votes.byChance(since.step.votes) >= Votes.CHANCE) {
            val fewest = minOf(before.runs, since.runs)
            if (fewest == MOST) break
            measure(listOf(before, since).filter { it.runs == fewest })
        }
        if (before.runs + since.runs > known) listOf(before, since).forEach { told(it.step) }
    }

    private fun measure(open: List<Asked>) {
        val seed = SEED + open.maxOf { it.runs }
        val javas = open.mapNotNull { it.java }.distinct()
        val clients = open.map { it.client }.distinct()
        val experiment = Experiment(name, workload(clients), forks = Votes.LEAD, seed = seed, java = javas)
        val trials = experiment.runOnce(listener).trials().filter { !it.warmup }
        open.forEach { asked ->
            asked.runs++
            trials
                .filter {
                    it.treatment.client.orEmpty().ifEmpty { asked.client.id } == asked.client.id &&
                        (asked.java == null || experiment.javaOf(it.treatment) == asked.java)
                }.forEach(asked::count)
        }
    }

    /** A candidate while it is asked. */
    private inner class Asked(candidate: Candidate) {
        private val named = LinkedHashSet<String>()
        private val values = LinkedHashMap<String, MutableList<Double>>()
        val java = candidate.java

        /** How many runs were made of it. */
        var runs = 0
        val step = Step(candidate, Votes(), values)
        private val made = runCatching { candidate.client }.onFailure { step.votes.none(refusal(it)) }
        val client: ClientInfo get() = made.getOrThrow()
        val isOpen: Boolean get() = made.isSuccess && step.decided == null && !step.votes.isMute

        fun count(trial: Trial) {
            step.votes.count(trial) { Seen(trial, named).answer().toString() }
            named.forEach { name -> trial.value(name)?.let { values.getOrPut(name) { mutableListOf() } += it } }
        }
    }

    private fun Trial.value(name: String) = if (name == Seen.MS) observations.singleOrNull()?.ms else metrics[name]

    private fun refusal(failure: Throwable) = (failure as? LabException ?: throw failure).message.orEmpty()

    private companion object {
        private const val MOST = 5
        private const val SEED = 42L
    }
}
