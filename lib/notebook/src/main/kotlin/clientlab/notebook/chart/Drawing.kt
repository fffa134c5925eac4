package clientlab.notebook.chart

/**
 * A chart with all positions computed, which a renderer only translates into its own format: categories are whole numbers with labelled
 * breaks, points are spread, labels moved apart, and texts wrapped.
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

    /** One geometry over columns of numbers and texts; [mapping] says which column each channel reads. */
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

    /** Settings of a whole layer; [ANCHOR] is 0, 0.5 or 1 of the text's width, [RISE] the same of its height. */
    public enum class Constant { COLOR, SIZE, STROKE, ALPHA, DASHED, ANCHOR, RISE }

    /** One axis; [limits] are in the axis's unit, or null if every panel has its own. */
    public data class Scale(
        val label: String,
        val transform: NumberScale,
        val limits: Pair<Double, Double>?,
        val breaks: List<Double>?,
        val labels: List<String>?,
        val categories: Boolean,
        val hidden: Boolean = false,
    )

    /** The coloured values in the order of the legend, with their colours and shapes. */
    public data class Series(val values: List<String>, val colors: List<String>, val shapes: List<PointShape>)

    /** The panels in their order, each beginning with its [PanelOrder] mark; [column] is in every layer. */
    public data class Panels(val column: String, val titles: List<String>, val columns: Int, val free: Boolean)
}
