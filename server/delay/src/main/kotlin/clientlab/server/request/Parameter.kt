package clientlab.server.request

/** The kind of values that a parameter takes. */
internal sealed class Values {
    /** Seconds, or a time with its unit, up to the longest delay. */
    data object Time : Values()

    /** Whole milliseconds, up to the longest delay. */
    data object Millis : Values()

    /** A [Time], or a distribution. */
    data object Delay : Values()

    /** Whole numbers in [range]. */
    class Whole(val range: LongRange) : Values()

    /** One of [words], or a whole number of bytes where [orBytes]. */
    class Word(val words: List<String>, val orBytes: Boolean = false) : Values()

    /** 1 for yes, 0 for no. */
    data object Switch : Values()

    /** Any text of at most [most] characters. */
    class Text(val most: Int) : Values()
}

/** The groups of parameters on the page. */
internal enum class Group(val title: String) {
    WHEN("When"),
    BODY("How the body comes"),
    WHAT("What comes"),
    WRONG("What goes wrong"),
}

/**
 * Everything that a query may hold. [QueryParameters], the page and the OpenAPI document all work from this list.
 *
 * @property key the name in the query.
 * @property shown what to write behind the `=`.
 * @property tried an example value.
 */
internal enum class Parameter(
    val key: String,
    val shown: String,
    val values: Values,
    val group: Group,
    val tried: String,
    val meaning: String,
) {
    DELAY(
        "delay",
        "<seconds>",
        Values.Delay,
        Group.WHEN,
        "1.5",
        "How long the answer waits: seconds, or a time such as 250ms, or a distribution to draw from. A draw below 0 counts as 0, " +
            "and a draw above the longest delay counts as that delay.",
    ),
    LABEL(
        "a",
        "<text>",
        Values.Text(QueryParameters.MOST_LABEL),
        Group.WHEN,
        "1",
        "A label for this request. A number gives it a row of its own in /evidence/requests on the control port.",
    ),
    SEED(
        "seed",
        "<n>",
        Values.Whole(0..Int.MAX_VALUE.toLong()),
        Group.WHEN,
        "42",
        "Draws the delay from this seed and the number in a alone: the same two give the same delay again.",
    ),
    BODY_DELAY(
        "bodyDelay",
        "<seconds>",
        Values.Time,
        Group.BODY,
        "0.5",
        "A slow first byte: the pause between the head and the body.",
    ),
    RATE("rate", "<bytes per second>", Values.Whole(1..MOST_RATE), Group.BODY, "20", "A slow body: this many bytes per second."),
    OVER(
        "over",
        "<seconds>",
        Values.Time,
        Group.BODY,
        "2",
        "A slow body: spread evenly over this time. If rate is given too, the slower of the two counts.",
    ),
    STATUS("status", "<code>", Values.Whole(200L..599L), Group.WHAT, "503", "Answers with this status."),
    GZIP(
        "gzip",
        "1",
        Values.Switch,
        Group.WHAT,
        "1",
        "Compresses the body, even if the client does not accept that; for bodies of up to ${QueryParameters.MOST_GZIPPED} bytes.",
    ),
    CLOSE("close", "1", Values.Switch, Group.WHAT, "1", "Says Connection: close, and closes behind the answer."),
    FAULT(
        "fault",
        "close|reset|stall",
        Values.Word(listOf("close", "reset", "stall")),
        Group.WRONG,
        "close",
        "Ends the connection without notice: closes it, or resets it by an RST; or stalls: no more bytes come until the client goes or " +
            "the longest delay is over.",
    ),
    AT(
        "at",
        "before|half|after|<n>",
        Values.Word(listOf("before", "half", "after"), orBytes = true),
        Group.WRONG,
        "half",
        "Where the fault comes: before the head (by default), halfway through the body, after its end, or, for /bytes, after this many " +
            "bytes.",
    ),
    CUT("cut", "<n>", Values.Whole(0..MAX_BYTES), Group.WRONG, "100", "Closes the connection after this many bytes of the body."),
    FLIP("flip", "1", Values.Switch, Group.WRONG, "1", "Alters the byte in the middle; the checksum is still that of the unaltered body."),
}

/** The most bytes that `/bytes` sends and `/sink` takes. */
internal const val MAX_BYTES: Long = 2_147_483_648
private const val MOST_RATE = 10_000_000_000
