package clientlab.server.request

import kotlin.time.Duration

/**
 * The settings of a server that concern its requests and their connections.
 *
 * @property maxDelay longest delay that a request may ask for.
 * @property maxInFlight most requests held at once; one more is answered 503.
 * @property maxConnections most connections to the data port at once; the first request of one more is answered 503. 0 means no limit.
 * @property maxRate most good requests per second; one more is answered 429. 0 means no limit.
 * @property maxStreams most streams at once on one HTTP/2 connection; null means a thousand more than [maxInFlight], so that the answer
 *   503 tells a client that there are too many.
 * @property headTimeout how long a new connection may take until the head of its first request is there; a body may take as long, and
 *   one second more for each 500 bytes.
 * @property idleTimeout how long a connection may lie unused between requests, or leave an answer unread. A client that waits for an
 *   answer is not idle.
 * @property takesUpgrades whether the server answers in HTTP/2 if a request of HTTP/1.1 offers to upgrade. If not, a client that offers
 *   by habit is measured in HTTP/1.1, as with most servers: RFC 9113 has withdrawn that upgrade.
 */
public interface PortSettings {
    public val maxDelay: Duration
    public val maxInFlight: Int
    public val maxConnections: Int
    public val maxRate: Int
    public val maxStreams: Int?
    public val headTimeout: Duration
    public val idleTimeout: Duration
    public val takesUpgrades: Boolean
}
