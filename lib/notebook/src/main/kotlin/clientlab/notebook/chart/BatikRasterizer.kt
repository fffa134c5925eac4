package clientlab.notebook.chart

import org.apache.batik.transcoder.ErrorHandler
import org.apache.batik.transcoder.TranscoderException
import org.apache.batik.transcoder.TranscoderInput
import org.apache.batik.transcoder.TranscoderOutput
import org.apache.batik.transcoder.image.ImageTranscoder
import org.apache.batik.transcoder.image.PNGTranscoder
import java.io.ByteArrayOutputStream
import java.io.StringReader

/** Draws an SVG as a PNG, [png]'s `scale` times as large as the SVG. */
public fun interface Rasterizer {
    public fun png(svg: String, scale: Double): ByteArray
}

/** Draws with Batik, which needs only AWT's fonts from the machine. */
public object BatikRasterizer : Rasterizer {
    override fun png(svg: String, scale: Double): ByteArray {
        val width = checkNotNull(WIDTH.find(svg)) { "The SVG does not say how wide it is." }.groupValues[1].toDouble()
        val out = ByteArrayOutputStream()
        val transcoder = PNGTranscoder().apply {
            errorHandler = Quiet
            addTranscodingHint(ImageTranscoder.KEY_WIDTH, (width * scale).toFloat())
            // A reader of a figure may be offline, and our drawings have no links.
            addTranscodingHint(ImageTranscoder.KEY_ALLOW_EXTERNAL_RESOURCES, false)
        }
        transcoder.transcode(TranscoderInput(StringReader(svg)), TranscoderOutput(out))
        return out.toByteArray()
    }

    private val WIDTH = Regex("<svg[^>]*?\\bwidth=\"([0-9.]+)")

    private object Quiet : ErrorHandler {
        override fun error(ex: TranscoderException) = throw ex

        override fun fatalError(ex: TranscoderException) = throw ex

        override fun warning(ex: TranscoderException) = Unit
    }
}
