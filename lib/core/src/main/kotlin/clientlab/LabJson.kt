package clientlab

import kotlinx.serialization.json.Json

/**
 * The one JSON of manifest, journal and trial protocol: it ignores keys that it does not know, so that an older version can read newer
 * files.
 */
public val LabJson: Json =
    Json {
        ignoreUnknownKeys = true
        encodeDefaults = true
        explicitNulls = false
    }
