package clientlab.notebook.frame

import clientlab.*
import clientlab.burst.*
import clientlab.machine.*
import clientlab.notebook.journal.*

/** Runs on the disk that nobody has run, for what is read from a manifest; to be used within [withDataIn]. */
internal object MadeRuns {
    val burst = Burst(listOf(ClientInfo("fuel", "Fuel", "a:b", "none")))
    private val asked = Experiment("made", burst)

    /** A machine of two processors that had [load]. */
    fun machine(load: Double?): Machine = Machine("Linux", "A processor", 2, 8L shl 30, 20_000, load, "25", "Somebody", "A VM")

    fun folder(
        vararg trials: Trial,
        commit: String? = "0123456789abcdef",
        dirty: Boolean? = false,
        load: Double? = 0.1,
        readings: MachineReadings? = null,
        registered: Map<String, String> = emptyMap(),
    ): RunFolder {
        val folder = RunFolder.create(asked)
        Manifest(
            run = folder.run,
            experiment = asked,
            startedAt = "2026-11-21T12:00:00Z",
            machine = machine(load),
            versions = emptyMap(),
            jars = emptyMap(),
            jvmArgs = emptyList(),
            commit = commit,
            dirty = dirty,
            state = "finished",
            readings = readings,
            registered = registered,
        ).write(folder.path)
        Journal(folder.path).use { journal -> trials.forEach { journal.append(listOf(it)) } }
        return folder
    }

    fun trials(
        vararg trials: Trial,
        commit: String? = "0123456789abcdef",
        dirty: Boolean? = false,
        load: Double? = 0.1,
        readings: MachineReadings? = null,
    ): Trials<Burst> = folder(*trials, commit = commit, dirty = dirty, load = load, readings = readings).trialsOf(Burst::class)
}
