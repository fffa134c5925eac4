package clientlab.clients.recipes

import java.util.concurrent.atomic.AtomicInteger

private val inside = AtomicInteger()
private val most = AtomicInteger()

/** Sleeps where a virtual thread is pinned in every Java: in the initializer of a class. */
private fun sleepPinned() {
    most.accumulateAndGet(inside.incrementAndGet(), ::maxOf)
    Thread.sleep(500)
    inside.decrementAndGet()
}

private object First {
    init {
        sleepPinned()
    }
}

private object Second {
    init {
        sleepPinned()
    }
}

private object Third {
    init {
        sleepPinned()
    }
}

/** Prints how many of three pinned virtual threads sleep at once. */
fun main() {
    listOf(
        { First.hashCode() },
        { Second.hashCode() },
        { Third.hashCode() },
    ).map { Thread.ofVirtual().start { it() } }.forEach { it.join() }
    println(most.get())
}
