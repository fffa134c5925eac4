package clientlab.articles.workshop

import clientlab.notebook.frame.*
import kotlin.math.abs

// Part 1: count threads.

/** Whether each client of [predicted] holds as many platform threads as predicted, while [inFlight] requests wait. */
public fun checkThreadsHeld(trials: Trials<*>, inFlight: Int, vararg predicted: Pair<String, Int?>): Check = checking {
    predicted.forEach { (client, threads) ->
        val guess = given("the prediction for $client", threads)
        val group = trials(trials, client, inFlight)
        expect(!group.wave) {
            val peak = median(group, PEAK).text()
            "$client held only $peak of $inFlight in flight, so its threads answer another question: open its limit."
        }
        val held = median(group, HELD).toInt()
        expect(guess == held) {
            val look = "trials.threadsOf(\"$client\", $inFlight)"
            when {
                held == inFlight && guess == held + 1 -> {
                    "$client holds $held: the one more is a thread of its own that holds no request, as $look shows."
                }

                held == inFlight -> {
                    "$client holds $held threads and not $guess: each is blocked in a read, for one answer; look at doing in $look."
                }

                held == 0 && guess >= inFlight -> {
                    "$client holds none and not $guess: a few threads wait in a selector, for all answers at once; " +
                        "look at doing in $look."
                }

                else -> {
                    "$client holds $held threads and not $guess: count those that are held by a request each, in $look."
                }
            }
        }
    }
    val said = predicted.joinToString { (client, held) -> "$client holds $held" }
    "$said platform threads while $inFlight requests wait, as you said."
}

/** Whether [perRequest] is the number of platform threads of [client] per further request in flight. */
public fun checkThreadsPerRequest(trials: Trials<*>, client: String, perRequest: Double?): Check = checking {
    val guess = given("perRequest", perRequest)
    val (few, many) = levelsOf(trials, client)
    val (low, high) = listOf(few, many).map { median(trials(trials, client, it), HELD) }
    val right = (high - low) / (many - few)
    expect(guess <= right + NEAR) {
        "${guess.text()} is more than one more request adds: it counts threads that are there anyway, which the " +
            "difference between $many and $few takes off."
    }
    expect(abs(guess - right) <= NEAR) {
        "${guess.text()} is less than one more request adds: divide the difference in threads by the difference in requests, ${many - few}."
    }
    "One more request in flight adds ${right.text()} to the platform threads of $client, whatever else lives in its JVM."
}

/** Whether [client] holds no platform thread while all its requests wait. */
public fun checkHoldsNone(trials: Trials<*>, client: String): Check = checking {
    val group = trials(trials, client)
    expect(!group.wave) {
        val peak = median(group, PEAK).text()
        "$client held only $peak of ${group.size} requests in flight: let each of them have a thread of its own, a virtual one."
    }
    val held = median(group, HELD).toInt()
    expect(held == 0) {
        "$client still holds $held platform threads for ${group.size} requests: who calls it? Look at CallerThreads.Virtual."
    }
    "$client holds no platform thread while ${group.size} requests wait, and its code still blocks."
}

/** The smallest and the largest number of requests in flight in the trials of [client]. */
private fun Answer.levelsOf(trials: Trials<*>, client: String): Pair<Int, Int> {
    val levels = groupsOf(trials, client).map { it.size }.distinct().sorted()
    if (levels.size < 2) {
        missing("There are trials of $client at one level alone: a difference takes two, as in inFlight = listOf(50, 100).")
    }
    return levels.first() to levels.last()
}

private const val HELD = "threadsBlocked"
private const val NEAR = 0.05
