package clientlab.agent

/** A client library that is loaded: the class that shows it, and its version as its jar names it. */
internal class Library(private val name: String, private val shownBy: String, private val version: String) {
    fun asMap(): Map<String, Any?> = mapOf("name" to name, "class" to shownBy, "version" to version)
}

internal object Libraries {
    /** A class that a program loads when it uses the library. */
    private val SHOWN_BY = mapOf(
        "okhttp3.OkHttpClient" to "OkHttp",
        "retrofit2.Retrofit" to "Retrofit",
        "io.ktor.client.HttpClient" to "Ktor client",
        "io.ktor.client.engine.cio.CIOEngine" to "Ktor CIO",
        "io.ktor.client.engine.okhttp.OkHttpEngine" to "Ktor OkHttp",
        "io.ktor.client.engine.java.JavaHttpEngine" to "Ktor Java",
        "io.ktor.client.engine.apache.ApacheEngine" to "Ktor Apache",
        "io.ktor.client.engine.apache5.Apache5Engine" to "Ktor Apache5",
        "java.net.http.HttpClient" to "java.net.http",
        "sun.net.www.protocol.http.HttpURLConnection" to "HttpURLConnection",
        "com.github.kittinunf.fuel.core.Client" to "Fuel",
        "org.apache.hc.client5.http.impl.classic.CloseableHttpClient" to "Apache HttpClient 5",
        "org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient" to "Apache HttpClient 5, async",
        "org.apache.http.impl.client.CloseableHttpClient" to "Apache HttpClient 4",
        "org.springframework.web.client.RestClient" to "Spring RestClient",
        "org.springframework.web.reactive.function.client.WebClient" to "Spring WebClient",
        "reactor.netty.http.client.HttpClient" to "Reactor Netty",
        "io.vertx.core.http.HttpClient" to "Vert.x",
        "org.eclipse.jetty.client.HttpClient" to "Jetty HttpClient",
        "org.asynchttpclient.DefaultAsyncHttpClient" to "AsyncHttpClient",
        "com.linecorp.armeria.client.WebClient" to "Armeria",
        "io.helidon.webclient.api.WebClient" to "Helidon WebClient",
    )

    private val NUMBERED = Regex("-(\\d[\\w.+-]*)\\.jar$")

    fun among(loaded: List<Class<*>>): List<Library> =
        loaded
            .mapNotNull { type ->
                SHOWN_BY[type.name]?.let { Library(it, type.name, versionOf(type)) }
            }.sortedBy { it.asMap()["name"].toString() }

    /** From the name of its jar, or what the jar says of itself. */
    private fun versionOf(type: Class<*>): String {
        if (type.module.isNamed && type.module.name.startsWith("java.")) return "of the JDK"
        val jar = type.protectionDomain?.codeSource?.location?.path.orEmpty()
        return NUMBERED.find(jar)?.groupValues?.get(1) ?: type.`package`?.implementationVersion ?: "unknown"
    }
}
