package clientlab.agent

/** Which classes a service's own people wrote, as far as names tell: those of no library that is widely used. */
internal object OwnClasses {
    private val cache = HashMap<Class<*>, Boolean>()

    fun has(type: Class<*>): Boolean = cache.getOrPut(type) {
        !type.isArray && !ofJdk(type.name) && !type.isHidden &&
            LIBRARIES.none(type.name::startsWith)
    }

    /** The one of Kotlin has no dot: with it, it would be renamed in the jar as the standard library in it is. */
    private val LIBRARIES = listOf(
        "clientlab.agent.",
        "kotlin",
        "org.jetbrains.",
        "io.ktor.",
        "okhttp3.",
        "okio.",
        "retrofit2.",
        "com.squareup.",
        "com.github.kittinunf.",
        "io.netty.",
        "reactor.",
        "org.reactivestreams.",
        "org.springframework.",
        "org.apache.",
        "org.eclipse.",
        "io.vertx.",
        "org.asynchttpclient.",
        "com.linecorp.",
        "io.helidon.",
        "io.micrometer.",
        "io.opentelemetry.",
        "io.grpc.",
        "com.google.",
        "com.fasterxml.",
        "tools.jackson.",
        "org.slf4j.",
        "ch.qos.",
        "org.hibernate.",
        "com.zaxxer.",
        "org.postgresql.",
        "com.mysql.",
        "org.junit.",
        "org.codehaus.",
        "groovy.",
        "scala.",
        "jakarta.",
        "com.typesafe.",
        "org.yaml.",
        "org.aspectj.",
        "org.objectweb.",
        "net.bytebuddy.",
        "io.micronaut.",
        "io.quarkus.",
        "org.koin.",
    )
}
