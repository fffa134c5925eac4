package clientlab.notebook.chart

import clientlab.*
import clientlab.notebook.catalogue.*
import java.util.HexFormat

/**
 * The look of every figure: colours, shapes, sizes in pixels and fonts. No other file names a colour.
 *
 * A client has the same colour and shape in every figure. Colours differ in lightness too, and shapes add what colours cannot say. A circle
 * suspends or uses callbacks; a square holds one thread per request; a hollow square does so on virtual threads. A hollow triangle is a
 * client with its defaults, a full triangle another configuration; both have a darker colour of their client.
 */
public object Style {
    /** The colour of the client or other value [id], the same in every figure and every run, and in every version. */
    public fun colorOf(id: String): String {
        val plain = ClientInfo.unversioned(id)
        val hue = baseOf(plain).let { HUES[it] ?: SPARE[Math.floorMod(it.hashCode(), SPARE.size)] }
        return when {
            plain.endsWith(AS_IT_COMES) -> mix(hue, BLACK, 0.2)
            '@' in plain -> mix(hue, BLACK, 0.4)
            plain.endsWith(VIRTUAL) -> mix(hue, BLACK, 0.1)
            else -> hue
        }
    }

    /** The shape of the client or other value [id]. */
    public fun shapeOf(id: String): PointShape {
        val plain = ClientInfo.unversioned(id)
        return when {
            plain.endsWith(AS_IT_COMES) -> PointShape.HOLLOW_TRIANGLE
            '@' in plain -> PointShape.TRIANGLE
            plain.endsWith(VIRTUAL) -> PointShape.HOLLOW_SQUARE
            plain in threadPerRequest -> PointShape.SQUARE
            else -> PointShape.CIRCLE
        }
    }

    private fun baseOf(id: String) = id.substringBefore('@').removeSuffix(VIRTUAL)

    /** Whether the client or other value [id] has a colour that nothing else has. */
    internal fun hasOwnColor(id: String): Boolean = baseOf(ClientInfo.unversioned(id)) in HUES

    /** Whether [text] is a colour as this project writes it, `#rrggbb`. */
    public fun isColor(text: String): Boolean = COLOR.matches(text)

    // The surface is white on a dark page too, because dark text on a transparent one would be unreadable.
    public const val INK: String = "#1f2328"
    public const val MUTED: String = "#57606a"
    public const val GRID: String = "#e4e7eb"
    public const val ROW: String = "#eef0f2"
    public const val AXIS: String = "#8c959f"
    public const val SURFACE: String = "#ffffff"

    /** The phases of a request, in this order: waiting inside the client is pale, the time on its way is strong. */
    public val PHASES: Map<String, String> =
        linkedMapOf(
            "in the client's queue" to "#cfd4da",
            "in the client" to "#b9c3cf",
            "connecting" to "#e08a1e",
            "on the way" to "#d6249f",
            "at the server" to "#1487c9",
            "reading" to "#2f9e44",
        )

    /** The outcomes of claims, in the order in which a figure shows them. */
    public val OUTCOMES: Map<String, String> =
        linkedMapOf(
            "supported" to "#0a6b4c",
            "no longer so" to "#e08a1e",
            "refuted" to "#e7330f",
            "inconclusive" to "#b9c3cf",
            "not testable here" to "#5f6b6d",
        )

    /** The published article's own figures, if they are shown beside ours. */
    public const val ARTICLE: String = "#8a8f98"

    /** The library of a profile's frame, in colours pale enough for dark text. Frames of no library are grey. */
    public val LIBRARIES: Map<String, String> =
        linkedMapOf(
            "Ktor CIO" to "#8cc8ec",
            "Ktor" to "#c3b1ec",
            "OkHttp" to "#f2a7a0",
            "Okio" to "#f6c987",
            "Retrofit" to "#f08fc0",
            "kotlinx-io" to "#a9dcc0",
            "kotlinx.coroutines" to "#f3e28a",
            "kotlinx.serialization" to "#c9d98f",
            "Gson" to "#d9c3a5",
            "Moshi" to "#d9c3a5",
            "Apache HttpClient" to "#b7c4d6",
            "harness and adapter" to "#c8ced4",
            "Java, Kotlin and the JVM" to "#e6e9ec",
        )

    /** The requested font. Its substitute differs between machines, so no layout depends on single pixels. */
    public const val FONT: String = "Helvetica, Arial, Liberation Sans, sans-serif"

    /**
     * The width of the font relative to the one that Lets-Plot measures with. Helvetica has 0.86 of it; where a system has DejaVu Sans
     * instead, as in our PNGs, words in a legend would lose their ends.
     */
    public const val FONT_WIDTH: Double = 1.0

    /** Font sizes. */
    public const val TITLE: Double = 17.0
    public const val SUBTITLE: Double = 13.0
    public const val TEXT: Double = 12.0
    public const val CAPTION: Double = 11.0
    internal const val BOX_TEXT: Double = 10.0

    /** Margins: top, right, bottom and left. The margin of the plot grows where whole names need more room. */
    public val TITLE_MARGIN: List<Double> = listOf(4.0, 0.0, 2.0, 0.0)
    public val SUBTITLE_MARGIN: List<Double> = listOf(4.0, 0.0, 6.0, 0.0)
    public val CAPTION_MARGIN: List<Double> = listOf(8.0, 0.0, 4.0, 0.0)
    public val PLOT_MARGIN: List<Double> = listOf(4.0, 6.0, 4.0, 6.0)

    /** Sizes of marks in the renderer's unit of 2.2 pixels. */
    public const val TRIAL_SIZE: Double = 2.0
    public const val TRIAL_ALPHA: Double = 0.35
    public const val ESTIMATE_SIZE: Double = 3.4
    public const val TRIAL_STROKE: Double = 0.5
    public const val ESTIMATE_STROKE: Double = 0.7
    public const val INTERVAL_SIZE: Double = 1.1
    public const val LINE_SIZE: Double = 0.9
    public const val THIN_LINE_SIZE: Double = 0.2
    public const val REFERENCE_SIZE: Double = 0.5
    public const val LEADER_SIZE: Double = 0.3
    public const val BAR_ALPHA: Double = 0.9

    /** The width in pixels at which a figure fits a notebook and an article. */
    public const val WIDTH: Int = 760

    /** The width in pixels that [text] takes at font size [size], about. */
    public fun widthOf(text: String, size: Double): Double = text.sumOf { (GLYPHS[it] ?: 0.56) } * size

    /** The width of the widest of [names] on an axis or in a legend. */
    internal fun widthOf(names: List<String>): Double = names.maxOfOrNull { widthOf(it, TEXT) } ?: 0.0

    private const val VIRTUAL = "-virtual"
    private const val AS_IT_COMES = "@default"
    private const val BLACK = "#000000"
    private val COLOR = Regex("#[0-9a-fA-F]{6}")
    private val GLYPHS = ("il.,:;'|!-".map { it to 0.30 } + "mwMW@%".map { it to 0.86 } + " ftrjI()/".map { it to 0.33 }).toMap()

    private val HUES = mapOf(
        "retrofit" to "#e7330f",
        "okhttp" to "#5a3a0a",
        "ktor-okhttp" to "#d6249f",
        "fuel" to "#8f8423",
        "urlconnection" to "#811737",
        "jdk-blocking" to "#9b4fd0",
        "ktor-cio" to "#1487c9",
        "ktor-java" to "#0a6b4c",
        "ktor-apache5" to "#16405f",
        "ktor-apache" to "#4a3fd0",
        "jdk" to "#2f9e44",
        "apache5-async" to "#0b2290",
        "spring-webclient" to "#e6668a",
        "spring-restclient" to "#580757",
        "vertx" to "#5705fb",
        "jetty" to "#b281b0",
        "netty-alone" to "#280217",
        "helidon" to "#b78771",
        "async-http-client" to "#8b1501",
        "armeria" to "#cf7800",
        "virtual" to "#1487c9",
        "pool-processors" to "#e7330f",
        "pool-8" to "#b15928",
        "pool-64" to "#d6249f",
        "pool-512" to "#811737",
        "virtual-limited-processors" to "#2f9e44",
        "virtual-limited-8" to "#0a6b4c",
        "virtual-limited-64" to "#6a8f1f",
        "virtual-limited-512" to "#16405f",
        "coroutines-io" to "#8f8423",
        "threads" to "#b5301f",
        "pool" to "#c77d0a",
        "coroutines" to "#5b3fc4",
        // Means of moving bytes. They never share a figure with clients.
        "stream" to "#b3541e",
        "random-access" to "#8f8423",
        "channel" to "#2f9e44",
        "async-channel" to "#0a6b4c",
        "coroutine" to "#9b4fd0",
        "ktor" to "#d6249f",
        "kotlinx-io" to "#4a3fd0",
        "okio" to "#1487c9",
        "netty" to "#16405f",
        "plain-loop" to "#5f6b6d",
    )

    /** What holds a platform thread for each request or task: clients, by their descriptions, and executors of tasks. */
    private val threadPerRequest: Set<String> by lazy {
        val clients = CatalogueReader.catalogue.clients.filter { it.threadPerRequest }
        clients.mapTo(HashSet()) { it.id } + setOf("threads", "pool", "pool-processors", "pool-8", "pool-64", "pool-512")
    }
    private val SPARE = listOf("#5f6b6d", "#7a5195", "#4e7a27", "#a23b72", "#b15928", "#00688b", "#7d6608", "#566573")

    private fun mix(color: String, with: String, share: Double): String =
        (1..5 step 2).joinToString("", "#") { at ->
            val from = color.substring(at, at + 2).toInt(16)
            val to = with.substring(at, at + 2).toInt(16)
            HexFormat.of().toHexDigits(Math.round(from + (to - from) * share), 2)
        }
}

/** The shapes of points, with their numbers in Lets-Plot and Kandy. */
public enum class PointShape(public val number: Int) { CIRCLE(16), SQUARE(15), HOLLOW_SQUARE(0), TRIANGLE(17), HOLLOW_TRIANGLE(2) }
