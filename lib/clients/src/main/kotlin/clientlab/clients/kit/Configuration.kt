package clientlab.clients.kit

import clientlab.*
import clientlab.client.*

/** Which settings a client is opened with. */
internal enum class Configuration {
    /** Every limit, also per host and per route, is the number of requests in flight; every time-out is [Conditions.timeout]. */
    Opened,

    /** The library's defaults: the adapter gives only the address. */
    Default,

    /** The settings of the code of source 000. */
    Article,
    ;

    /**
     * Whether the adapter sets the HTTP version.
     *
     * A client that is not opened chooses as it does by default, unless the conditions ask for more than HTTP/1.1 in cleartext.
     */
    fun setsProtocol(conditions: Conditions): Boolean = this == Opened || conditions.protocol != Protocol.Http1
}
