package clientlab.server.control

/** The page at `/live`; it asks for nothing but `/live/now`. */
internal val LIVE_PAGE: String by lazy {
    val page =
        checkNotNull(
            ControlConnection::class.java.getResourceAsStream("/clientlab/server/control/live.html"),
        ) { "The jar has no page for /live." }
    page.use { it.readBytes().decodeToString() }
}

/** A browser runs and loads only what the page itself contains, and asks no other server. */
internal const val LIVE_POLICY: String =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'"
