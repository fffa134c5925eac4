package clientlab.articles.workshop

import clientlab.notebook.frame.*
import kotlin.math.abs

// Part 4: memory.

/**
 * Whether [order] names the mechanisms from the one that takes the most memory for [tasks] waiting tasks to the one that takes the least.
 *
 * Mechanisms with a small difference are compared on the heap, which is counted to the byte, because the JVM's own work also enlarges the
 * resident set.
 */
public fun checkMemoryOrder(trials: Trials<*>, tasks: Int, order: List<String>?): Check = checking {
    val guess = given("order", order)
    val right = RANKED.filter { name -> groupsOf(trials).any { it["mechanism"] == name } }
    expect(guess.sorted() == right.sorted()) { "Name each mechanism once: ${right.joinToString()}, in your order." }
    val memory = right.associateWith { median(trials(trials, it, tasks), MEMORY) }
    val heap = right.associateWith { median(trials(trials, it, tasks), HEAP) }
    guess.zipWithNext().forEach { (more, less) ->
        val (name, measure) = if (THREADS in listOf(more, less)) MEMORY to memory else HEAP to heap
        expect(measure.getValue(more) > measure.getValue(less)) {
            "$tasks of $less take more than $tasks of $more: " +
                if (less == THREADS) "a platform thread has a stack outside of the heap; look at residentGrowthBytes." else "look at $name."
        }
    }
    "From the dearest to the cheapest: ${guess.joinToString()}."
}

/** Whether [mechanism] is the one whose [tasks] tasks take the most heap. */
public fun checkMostHeap(trials: Trials<*>, tasks: Int, mechanism: String?): Check = checking {
    val guess = given("mostHeap", mechanism)
    val heap = groupsOf(trials).mapNotNull { it["mechanism"] }.distinct().associateWith { median(trials(trials, it, tasks), HEAP) }
    expect(guess in heap) { "There is no mechanism '$guess' here; there are ${heap.keys.joinToString()}." }
    val most = heap.maxBy { it.value }.key
    expect(guess == most) {
        if (guess == THREADS) {
            "The heap holds little of a platform thread, whose stack is outside of it; $most take more: look at heapGrowthBytes."
        } else {
            "$most take more of the heap than $guess: where does the stack of each lie? Look at heapGrowthBytes."
        }
    }
    "$guess take the most of the heap: their stacks are objects in it, and those of platform threads are not."
}

/** Whether [resident] is right: whether [tasks] platform threads make all the memory resident that is reserved for their stacks. */
public fun checkReserved(trials: Trials<*>, tasks: Int, resident: Boolean?): Check = checking {
    val guess = given("resident", resident)
    val group = trials(trials, THREADS, tasks)
    val reserved = median(group, "reservedGrowthBytes")
    val taken = median(group, "residentGrowthBytes")
    val right = taken > reserved / 2
    expect(guess == right) {
        if (right) {
            "Here most of what is reserved is resident as well: compare residentGrowthBytes with reservedGrowthBytes."
        } else {
            "Reserved is not used: a page of a stack is resident once it was touched; compare residentGrowthBytes with reservedGrowthBytes."
        }
    }
    "Of what $tasks stacks reserve, ${if (right) "most" else "a small part"} is resident: an address is not memory."
}

/** Whether [bytes] is the heap of one further task of [mechanism], after the first ones. */
public fun checkHeapPerTask(trials: Trials<*>, mechanism: String, bytes: Double?): Check = checking {
    val guess = given("perTask", bytes)
    val levels = groupsOf(trials, mechanism).map { it.size }.filter { it > 0 }.distinct().sorted()
    if (levels.size < 2) missing("One more task takes two levels to tell: ask for tasks = listOf(0, 500, 1_000).")
    val (few, many) = levels.takeLast(2)
    val (low, high) = listOf(few, many).map { median(trials(trials, mechanism, it), HEAP) }
    val right = (high - low) / (many - few)
    expect(abs(guess - right * KILO) > NEAR * right * KILO && abs(guess - right / KILO) > NEAR * right / KILO) {
        "${guess.text()} is in another unit: heapGrowthBytes are bytes, so give bytes."
    }
    expect(guess <= right * (1 + NEAR)) {
        "${guess.text()} bytes hold what the first task brings too, once for all: take the difference between $many and $few."
    }
    expect(guess >= right * (1 - NEAR)) {
        "${guess.text()} bytes are too few: divide the difference in bytes by the difference in tasks, ${many - few}."
    }
    "One more of $mechanism takes ${right.text()} bytes of the heap."
}

/** The mechanisms from the most expensive to the cheapest, as far as they were measured. */
private val RANKED = listOf("threads", "pool", "virtual", "coroutines")
private const val THREADS = "threads"
private const val HEAP = "heapGrowthBytes"
private const val NEAR = 0.05
private const val KILO = 1_000
