package clientlab

import kotlinx.serialization.json.Json

/** The one JSON of manifest, journal and trial protocol: what it does not know it passes over, so that older readers stay readers. */
public val LabJson: Json =
    Json {
        ignoreUnknownKeys = true
        encodeDefaults = true
        explicitNulls = false
    }
