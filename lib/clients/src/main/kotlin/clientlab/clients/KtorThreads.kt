package clientlab.clients

import clientlab.ThreadOwner

/** How threads of a Ktor client are recognised, whatever its engine; most of its work is done on `Dispatchers.IO`, which is not Ktor's. */
internal object KtorThreads {
    val owners: List<ThreadOwner> = listOf(ThreadOwner("(?i)ktor-.*", "Ktor"))

    /** Both engines over Apache's clients name all their threads so. */
    val apacheOwners: List<ThreadOwner> = listOf(ThreadOwner("Ktor-client-apache", "Apache I/O reactor")) + owners
}

/** What the article's code gives the clients that it gives a time-out of its own. */
internal const val ARTICLE_TIMEOUT_MS: Long = 100_000
