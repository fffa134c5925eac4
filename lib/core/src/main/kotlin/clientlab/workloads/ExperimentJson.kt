package clientlab.workloads

import clientlab.*
import kotlinx.serialization.json.Json

/** [LabJson] that also knows every workload: for experiments, and for what holds one, such as a manifest or a trial spec. */
public val ExperimentJson: Json = Json(LabJson) { serializersModule = Workloads.serializers }
