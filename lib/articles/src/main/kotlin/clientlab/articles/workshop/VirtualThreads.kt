package clientlab.articles.workshop

import clientlab.notebook.frame.*

// Part 3: virtual threads.

/** Whether the executor [most] has the most calls in flight, and the executor [limited] has [held] of them. */
public fun checkInFlight(trials: Trials<*>, most: String?, limited: String, held: Int?): Check = checking {
    val guess = given("most", most)
    val guessHeld = given("held", held)
    val groups = groupsOf(trials).onEach { group ->
        val limit = group.values(LIMIT).maxOrNull()
        expect(limit == null || group.values(PEAK).all { it <= limit }) {
            "${group.treatment.subject} had more in flight than its limit, which cannot be: run it again."
        }
    }
    val chosen = trials(trials, guess)
    val best = groups.maxBy { median(it, PEAK) }
    expect(median(chosen, PEAK) == median(best, PEAK)) {
        val limit = chosen.values(LIMIT).maxOrNull()
        "$guess had ${median(chosen, PEAK).text()} in flight and ${best.treatment.subject} more" +
            if (limit == null) ": look at inFlightPeak." else ": it lets ${limit.text()} in at a time, whatever its threads are."
    }
    val group = trials(trials, limited)
    val right = median(group, PEAK).toInt()
    expect(guessHeld == right || guessHeld != group.size) {
        "$limited has a virtual thread for each of ${group.size} tasks, but only $right of them pass its semaphore: look at inFlightPeak."
    }
    expect(guessHeld == right) { "$limited had $right in flight and not $guessHeld: the server's word is inFlightPeak." }
    "$guess has the most in flight because nothing limits it: behind a limit virtual threads hold $right, just as a pool does."
}

/** Whether [client] holds [platform] platform threads and [virtual] virtual ones, while all its requests wait. */
public fun checkThreadKinds(trials: Trials<*>, client: String, platform: Int?, virtual: Int?): Check = checking {
    val guess = given("platform", platform)
    val guessVirtual = given("virtual", virtual)
    val group = trials(trials, client)
    val (held, there) = listOf("threadsBlocked", "virtualThreads").map { median(group, it).toInt() }
    expect(guess == held) {
        when (held) {
            0 -> {
                "$client holds no platform thread and not $guess: a virtual thread that waits lets go of its carrier; " +
                    "look at threadsBlocked."
            }

            else -> {
                "$client holds $held platform threads and not $guess: look at threadsBlocked."
            }
        }
    }
    expect(guessVirtual == there) {
        "There were $there virtual threads for ${group.size} requests and not $guessVirtual: its code blocks, so each " +
            "call has one; look at virtualThreads."
    }
    "$client has $there virtual threads that wait and $held platform threads: blocking code, and nothing of the system's is held."
}

/** Whether a pool of [threads] threads lets all tasks call at once. */
public fun checkPool(trials: Trials<*>, threads: Int?): Check = checking {
    val guess = given("threads", threads)
    val group = trials(trials, "pool-$guess")
    val tasks = group.size
    expect(guess >= tasks) {
        "A pool of $guess lets $guess of $tasks tasks call at once, and the rest queue: ${(tasks + guess - 1) / guess} waves."
    }
    "A pool of $guess lets every task call at once, as virtual threads do, and takes $guess platform threads for it."
}

/** The trials that count, by treatment; if [subject] is named, those of that client, executor or mechanism. */
internal fun Answer.groupsOf(trials: Trials<*>, subject: String? = null): List<TreatmentTrials> =
    trials.byTreatment().filter { it.counted.isNotEmpty() && (subject == null || it.treatment.subject == subject) }.ifEmpty {
        missing("There are no trials ${subject?.let { "of $it " }.orEmpty()}that count: run the experiment as its cell has it.")
    }

private const val LIMIT = "executorLimit"
