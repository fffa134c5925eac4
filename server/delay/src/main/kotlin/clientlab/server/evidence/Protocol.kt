package clientlab.server.evidence

/** How a request came; [key] is its name in the evidence. */
internal enum class Protocol(val key: String) {
    HTTP_1_0("http/1.0"),
    HTTP_1_1("http/1.1"),

    /** HTTP/1.1 with an offer to upgrade to HTTP/2, answered in HTTP/1.1. */
    H2C_UPGRADE_ASKED("h2c-upgrade-asked"),

    /** HTTP/2 in cleartext, with prior knowledge or by an upgrade. */
    H2C("h2c"),

    /** HTTP/2 over TLS. */
    H2("h2"),
    OTHER("other"),
    MALFORMED("malformed"),
}
