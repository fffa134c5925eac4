package clientlab

import kotlinx.serialization.Serializable

/** A Java runtime by its `java.version` and `java.vendor`, not by its folder, so that an experiment means the same on another machine. */
@Serializable
public data class Jdk(val version: String, val vendor: String) {
    /** The release: 25 of `25.0.3` and of `25-ea`. */
    public val feature: Int get() = version.takeWhile(Char::isDigit).toIntOrNull() ?: 0

    override fun toString(): String = "$version $vendor"
}
