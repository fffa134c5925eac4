package clientlab.clients.ktor

import clientlab.client.*

/** What an engine needs of Ktor, in the engine's own version. */
internal object KtorLibrary {
    /** For versions from [from] on. With [json] it reads JSON, from Ktor 3 on: before, content negotiation had another API. */
    fun needs(json: Boolean = false, from: String = "2.3.0"): LibraryNeeds =
        if (json) LibraryNeeds(from, JSON, jsonFrom = "3.0.0") else LibraryNeeds(from)

    private val JSON = listOf("io.ktor:ktor-client-content-negotiation-jvm", "io.ktor:ktor-serialization-kotlinx-json-jvm")
}
