package clientlab.trial

import clientlab.probe.*

/**
 * Hands each line of standard input to [order], and ends this JVM when the input ends: its parent has closed it, or is gone.
 *
 * It ends by halting: exit hooks of libraries would only add to the time.
 */
public fun obeyParent(order: (String) -> Unit): Nothing {
    generateSequence(::readlnOrNull).forEach(order)
    Runtime.getRuntime().halt(0)
    error("halted")
}

/** Ends this JVM when its standard input ends, from a thread of the harness, while the caller goes on. */
public fun endWithParent() {
    Thread.ofPlatform().daemon().name("${ThreadOwners.HARNESS_PREFIX}parent").start {
        while (System.`in`.read() >= 0) Unit
        Runtime.getRuntime().halt(ORPHANED)
    }
}

private const val ORPHANED = 3
