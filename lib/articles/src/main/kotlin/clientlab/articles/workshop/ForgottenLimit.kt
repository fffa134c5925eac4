package clientlab.articles.workshop

import clientlab.notebook.catalogue.*
import clientlab.notebook.frame.*

// Part 2: find the forgotten limit.

/** Whether [limit] is the most that [client] held in flight, as the server saw it. */
public fun checkLimit(trials: Trials<*>, client: String, limit: Int?): Check = checking {
    val guess = given("limit", limit)
    val group = trials(trials, client)
    val held = held(group)
    expect(guess == held || guess != group.size) {
        "$guess is what was asked for, and the server never saw so many at once: look at inFlightPeak in trials.summary(\"inFlightPeak\")."
    }
    expect(guess == held) { "The server saw $held requests of $client at once and never $guess: inFlightPeak is its word." }
    when {
        held < group.size -> "$client holds $held of ${group.size} requests in flight; the rest wait in a queue of its own."
        else -> "$client holds all ${group.size} requests in flight."
    }
}

/** Whether [waves] is the number of waves that [client] needs: its requests divided by its limit, rounded up. */
public fun checkWaves(trials: Trials<*>, client: String, waves: Int?): Check = checking {
    val guess = given("waves", waves)
    val group = trials(trials, client)
    val (n, held) = group.size to held(group)
    val right = (n + held - 1) / held
    val sum = "$n requests, $held at a time"
    expect(guess == right || guess != n / held) {
        "$guess waves leave some out: the last wave is not full and takes its time all the same ($sum)."
    }
    expect(guess == right || guess != held) { "$guess is how many are in flight at once; how often must that be done for all ($sum)?" }
    expect(guess == right) { "It is not $guess waves: divide all requests by those that are in flight at once, and round up ($sum)." }
    "$sum, are $right ${if (right == 1) "wave" else "waves"}, and whoever comes last waits for all of them."
}

/** Whether the client [chosen] is one that holds all its requests in flight at once. */
public fun checkOpened(trials: Trials<*>, chosen: String?): Check = checking {
    val group = trials(trials, given("opensIt", chosen))
    val held = held(group)
    val least = groupsOf(trials).minOf { held(it) }
    expect(held > least) {
        "$chosen still holds $held of ${group.size}: what it changes is not what holds them back; look who has another inFlightPeak."
    }
    expect(held == group.size) {
        "$chosen opens one limit of two, and the next one stops it at $held of ${group.size}: look for the one with " +
            "inFlightPeak ${group.size}."
    }
    "$chosen holds all ${group.size} in flight: one wave."
}

internal const val PEAK: String = "inFlightPeak"

/** The most in flight. If a machine was too busy to send all requests within one delay, the trial says nothing about a limit. */
private fun Answer.held(group: TreatmentTrials): Int {
    val held = median(group, PEAK).toInt()
    val limit = clientOrNull(group.client)?.limit ?: group.size
    if (held < minOf(limit, group.size)) {
        missing(
            "This machine was too busy to have all of ${group.client}'s requests out at once: end what else is going on, and run it again.",
        )
    }
    return held
}
