package clientlab.clients.ktor

import clientlab.*
import clientlab.client.*

/** What the listings of Ktor's engines share. */
internal object KtorLibrary {
    private val JSON = listOf("io.ktor:ktor-client-content-negotiation-jvm", "io.ktor:ktor-serialization-kotlinx-json-jvm")

    /** The threads of every engine. Most of the work runs on `Dispatchers.IO`, whose threads are not Ktor's. */
    val owners: List<ThreadOwner> = listOf(ThreadOwner("(?i)ktor-.*", "Ktor"))

    /** The threads of the two engines over Apache's clients. */
    val apacheOwners: List<ThreadOwner> = listOf(ThreadOwner("Ktor-client-apache", "Apache I/O reactor")) + owners

    /** How many connections Ktor lets each of Apache's clients open, to one route and in all. */
    const val APACHE_CONNECTIONS: Int = 1000

    /** The time-out in ms that the article's code sets. */
    const val ARTICLE_TIMEOUT_MS: Long = 100_000

    /** What an adapter needs to run with Ktor [from] and newer. With [json] it reads JSON, from Ktor 3 on: before, content negotiation had another API. */
    fun needs(json: Boolean = false, from: String = "2.3.0"): LibraryNeeds =
        if (json) LibraryNeeds(from, JSON, jsonFrom = "3.0.0") else LibraryNeeds(from)
}
