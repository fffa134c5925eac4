package clientlab.notebook.catalogue

import clientlab.notebook.catalogue.catalogue
import clientlab.notebook.catalogue.versions
import clientlab.workload.MeansInfo
import kotlinx.serialization.Serializable
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.toColumn

/** These means as a table: id, what each calls, and what it can do. */
public fun List<MeansInfo>.table(): AnyFrame =
    dataFrameOf(
        map { it.id }.toColumn("means"),
        map { "${it.library.substringAfter(':')} ${Listing.catalogue.versions[it.library].orEmpty()}".trim() }.toColumn("library"),
        map { it.how }.toColumn("how"),
        map { it.operations.joinToString() }.toColumn("operations"),
    )
