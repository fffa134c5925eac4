package clientlab.clients.ktor

import clientlab.client.LibraryNeeds

/** What Ktor's engines need of Ktor in whichever version, all of it in the engine's own. */
internal object KtorLibrary {
    /** Content negotiation asks for a type in another way before Ktor 3, so that JSON is read from there on. */
    fun needs(json: Boolean = false, from: String = "2.3.0"): LibraryNeeds =
        if (json) LibraryNeeds(from, JSON, jsonFrom = "3.0.0") else LibraryNeeds(from)

    private val JSON = listOf("io.ktor:ktor-client-content-negotiation-jvm", "io.ktor:ktor-serialization-kotlinx-json-jvm")
}
