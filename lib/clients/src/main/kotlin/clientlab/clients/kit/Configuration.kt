package clientlab.clients.kit

import clientlab.client.Conditions
import clientlab.client.Protocol

/** Which settings a client is opened with. */
internal enum class Configuration {
    /** Every limit is the number of requests in flight, per host and route too, and every time-out the one asked for. */
    Opened,

    /** As the library comes: only the address is given. */
    Default,

    /** As the code of the first source article sets it. */
    Article,
    ;

    /** Whether the version is set: a client that is not opened keeps its own way of choosing, unless another one is asked for. */
    fun setsProtocol(conditions: Conditions): Boolean = this == Opened || conditions.protocol != Protocol.Http1
}
