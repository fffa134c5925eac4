package clientlab.notebook.output

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.jupyter.api.MimeTypedResultEx

/** What the front end gets of an output, by MIME type. */
internal fun MimeTypedResultEx.shown(): JsonObject = toJson(JsonObject(emptyMap()), null).getValue("data").jsonObject

/** How a cell shows this frame under the MIME type [type]. */
internal fun AnyFrame.shownAs(type: String): String = FrameOutput
    .of(this)
    .shown()
    .getValue(type)
    .jsonPrimitive.content

/** The data part of this frame. */
internal fun AnyFrame.data(): JsonObject = FrameOutput.of(this).shown().getValue(DataPart.MIME).jsonObject
