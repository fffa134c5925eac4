package clientlab.clients.ktor

import clientlab.*

/** The names of a Ktor client's threads. Most of its work runs on `Dispatchers.IO`, whose threads are not Ktor's. */
internal object KtorThreads {
    /** The threads of every engine. */
    val owners: List<ThreadOwner> = listOf(ThreadOwner("(?i)ktor-.*", "Ktor"))

    /** The threads of the two engines over Apache's clients. */
    val apacheOwners: List<ThreadOwner> = listOf(ThreadOwner("Ktor-client-apache", "Apache I/O reactor")) + owners
}

/** The time-out in ms that the article's code sets. */
internal const val ARTICLE_TIMEOUT_MS: Long = 100_000
