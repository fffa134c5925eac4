package clientlab.clients.apache

import clientlab.*
import clientlab.client.*
import clientlab.clients.kit.*
import org.apache.hc.client5.http.config.ConnectionConfig
import org.apache.hc.client5.http.config.RequestConfig
import org.apache.hc.client5.http.config.TlsConfig
import org.apache.hc.core5.http2.HttpVersionPolicy
import org.apache.hc.core5.util.Timeout
import kotlin.time.Duration

/** By default 3 minutes to connect, and no limit to a read. */
internal fun connectionConfig(conditions: Conditions): ConnectionConfig =
    ConnectionConfig
        .custom()
        .setConnectTimeout(timeoutOf(conditions.timeout))
        .setSocketTimeout(timeoutOf(conditions.longestRead))
        .build()

/** By default 3 minutes to wait for a connection of the pool, and no limit to the wait for an answer. */
internal fun requestConfig(conditions: Conditions): RequestConfig =
    RequestConfig
        .custom()
        .setConnectionRequestTimeout(timeoutOf(conditions.timeout))
        .setResponseTimeout(timeoutOf(conditions.longestRead))
        .build()

/** By default it speaks HTTP/1.1 in cleartext, and over TLS what the server prefers. It speaks HTTP/2 in cleartext only if forced to. */
internal fun tlsConfig(protocol: Protocol): TlsConfig {
    val policy = if (protocol.multiplexes) HttpVersionPolicy.FORCE_HTTP_2 else HttpVersionPolicy.FORCE_HTTP_1
    return TlsConfig.custom().setVersionPolicy(policy).build()
}

internal fun timeoutOf(longest: Duration): Timeout = Timeout.ofMilliseconds(longest.inWholeMilliseconds)
