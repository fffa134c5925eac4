package clientlab

import kotlinx.serialization.json.Json

/** The one JSON of manifest, journal and trial protocol. It ignores unknown keys, so that an older version reads newer files. */
public val LabJson: Json = Json {
    ignoreUnknownKeys = true
    encodeDefaults = true
    explicitNulls = false
}
