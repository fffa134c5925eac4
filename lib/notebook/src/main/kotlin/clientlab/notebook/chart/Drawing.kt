package clientlab.notebook.chart

/**
 * A chart resolved to places, the last step that all renderers share: what is left to one is to say the same in its own words.
 *
 * Categories are whole numbers with labelled breaks, points are spread, labels are moved apart and words are wrapped already.
 */
public data class Drawing(
    val layers: List<Layer>,
    val x: Scale,
    val y: Scale,
    val series: Series?,
    val panels: Panels?,
    val title: String,
    val subtitle: String,
    val caption: String,
    val legend: Legend,
    val size: ChartSize,
) {
    /** The margin of the whole plot: top, right, bottom and left, with room at the left for names that the engine would cut. */
    public val margin: List<Double>
        get() = Style.PLOT_MARGIN.dropLast(1) + (Style.PLOT_MARGIN.last() + AxisText.overhang(y.labels.orEmpty()))

    /**
     * One geometry over columns of numbers and words.
     *
     * @property mapping which column each channel reads.
     * @property constants what holds for the whole layer.
     */
    public data class Layer(
        val geometry: Geometry,
        val data: Map<String, List<Any?>>,
        val mapping: Map<Channel, String>,
        val constants: Map<Constant, Any> = emptyMap(),
    )

    /** The geometries that the marks of this project need. */
    public enum class Geometry { POINT, SEGMENT, RECTANGLE, LINE, STEP, TEXT, LEVEL_LINE, UPRIGHT_LINE }

    /** What a column can be mapped to. */
    public enum class Channel { X, Y, X_END, Y_END, X_MIN, X_MAX, Y_MIN, Y_MAX, COLOR, FILL, SHAPE, TEXT, X_AT, Y_AT }

    /** What can hold for a whole layer; [ANCHOR] is 0, 0.5 or 1 of the words' width, [RISE] the same of their height. */
    public enum class Constant { COLOR, SIZE, STROKE, ALPHA, DASHED, ANCHOR, RISE }

    /** One axis; [limits] in the axis' own unit, null where every panel has its own. */
    public data class Scale(
        val label: String,
        val transform: NumberScale,
        val limits: Pair<Double, Double>?,
        val breaks: List<Double>?,
        val labels: List<String>?,
        val categories: Boolean,
        val hidden: Boolean = false,
    )

    /** The values that are coloured, in the order of the legend, with colour and shape of each. */
    public data class Series(val values: List<String>, val colors: List<String>, val shapes: List<PointShape>)

    /** The panels in their order, each beginning with its [PanelOrder] mark; [column] is in every layer. */
    public data class Panels(val column: String, val titles: List<String>, val columns: Int, val free: Boolean)
}
