package clientlab.conduct.scene

import java.net.InetAddress
import java.net.URI
import java.net.spi.InetAddressResolver
import java.net.spi.InetAddressResolver.LookupPolicy
import java.net.spi.InetAddressResolverProvider
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import java.util.stream.Stream
import kotlin.time.Duration

/**
 * A host name that only this process knows, with its [addresses]. No name comes twice, because the JVM remembers addresses for half a
 * minute. A client that asks name servers by itself does not find it.
 */
internal class Name(addresses: List<InetAddress>) : AutoCloseable {
    private val host = "conduct-${NUMBER.incrementAndGet()}.test"

    @Volatile var addresses: List<InetAddress> = addresses

    /** How long a lookup takes. */
    @Volatile var takes: Duration = Duration.ZERO

    private val asked = AtomicInteger()

    /** How often the JVM has looked it up. */
    val lookups: Int get() = asked.get()

    init {
        KNOWN[host] = this
    }

    fun url(port: Int): URI = URI("http://$host:$port")

    override fun close() {
        KNOWN.remove(host)
    }

    internal companion object {
        private val NUMBER = AtomicInteger()
        private val KNOWN = ConcurrentHashMap<String, Name>()

        /** The addresses of [host], or null if it is no name of a situation. */
        fun lookUp(host: String): List<InetAddress>? =
            KNOWN[host]?.let { name ->
                name.asked.incrementAndGet()
                Thread.sleep(name.takes.inWholeMilliseconds)
                name.addresses
            }
    }
}

/** Tells the JVM the addresses of each [Name]. The JVM finds it by its name in `META-INF/services`. */
public class NameResolverProvider : InetAddressResolverProvider() {
    override fun get(configuration: Configuration): InetAddressResolver = Resolver(configuration.builtinResolver())

    override fun name(): String = "client-lab"

    private class Resolver(private val usual: InetAddressResolver) : InetAddressResolver {
        override fun lookupByName(host: String, policy: LookupPolicy): Stream<InetAddress> =
            Name.lookUp(host)?.stream() ?: usual.lookupByName(host, policy)

        override fun lookupByAddress(address: ByteArray): String = usual.lookupByAddress(address)
    }
}
