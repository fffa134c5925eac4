package clientlab.notebook.run

import clientlab.*
import clientlab.machine.*
import clientlab.notebook.fork.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import clientlab.trial.*
import java.io.IOException
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.name
import kotlin.time.Duration.Companion.seconds

/**
 * One execution of an experiment: takes the lock, starts the delay server, and runs every planned trial in a fork of its own.
 *
 * Each trial is on the disk before the next begins. An interrupt ends the fork and the server, leaves the trials so far in the folder with
 * the state `interrupted`, and is rethrown. If the server dies, the trial in progress is invalid and the next one has a new server. After
 * any end [resume] runs the missing trials. If [elsewhere] names the control port of a running server, the run uses it and leaves it
 * running. If another run is in progress, it refuses, or calls [onBusy] and waits if there is one. If it repeats the experiment of [again],
 * it uses the cell clients that are kept there.
 */
internal class Run(
    private val experiment: Experiment<*>,
    private val listener: ProgressListener,
    private val versions: Map<String, String>,
    private val watch: MachineWatch = MachineWatch(),
    private val remote: String? = null,
    private val onBusy: ((RunGoingOn) -> Unit)? = null,
    private val javaHomes: JavaHomes = JavaHomes(),
    private val again: RunFolder? = null,
) {
    private val peers = Peers()

    /** Runs it to its end and returns its folder. */
    fun execute(): RunFolder {
        val (machine, jars) = ready()
        return locked().use { lock ->
            val kept = Kept(experiment)
            val rounds = Rounds(experiment, kept, listener).apply { begin() }
            watch.before()
            server(remote).use { server ->
                val folder = RunFolder.create(experiment)
                lock.names(folder.run)
                val manifest = manifest(folder.run, machine, jars).copy(server = server.properties, readings = watch.readings)
                manifest.write(folder.path)
                Session(folder, manifest, jars, server).record(rounds, fresh = true)
                folder
            }
        }
    }

    /**
     * Runs the missing trials of [run], or of the newest unfinished run if that is null, and returns its folder.
     *
     * Refuses with one sentence if the experiment, the libraries or the machine have changed. With [anyway] it continues the experiment of
     * the manifest, and the notes say what differs.
     */
    fun resume(run: String?, anyway: Boolean): RunFolder {
        val (machine, jars) = ready()
        return locked().use { lock ->
            val folder = Unfinished.find(experiment.name, run)
            lock.names(folder.run)
            val was = folder.manifest
            val remote = remote ?: was.server[RemoteServer.URL]
            val place = listOfNotNull(remote).associate { RemoteServer.URL to RemoteServer.shown(it) }
            val now = manifest(folder.run, machine, jars).copy(server = place)
            val differences = Differences.between(was, now)
            if (differences.isNotEmpty() && !anyway) throw changed(folder.run, differences)
            val asked = was.experiment.copy(own = experiment.own)
            Preflight.check(asked, machine)
            AsyncProfiler.check(asked.workload.treatments)
            val kept = Kept(asked)
            val cut = Journal.mend(folder.path, kept::add)
            val rounds = Rounds(asked, kept, listener).apply { begin() }
            watch.before(was.readings)
            server(remote).use { server ->
                val note = resumed(was.state, kept.size, differences)
                val manifest = was.copy(state = Unfinished.RUNNING, endedAt = null, notes = was.notes + cut.notes + note)
                manifest.write(folder.path)
                Run(asked, listener, versions, watch, javaHomes = javaHomes).Session(folder, manifest, jars, server).record(
                    rounds,
                    fresh = kept.size == 0,
                )
                RunFolder(folder.path)
            }
        }
    }

    private fun locked(): RunLock = onBusy?.let { RunLock.await(experiment.name, told = it) } ?: RunLock.take(experiment.name)

    private fun server(remote: String?): TrialServer =
        if (remote == null) {
            ServerProcess.start(experiment.workload.protocols)
        } else {
            RemoteServer.find(remote).also { Preflight.checkRemote(experiment, it.address) }
        }

    /** The note about resuming. Only one process holds the lock, so another run that says `running` was killed. */
    private fun resumed(state: String, there: Int, differences: List<String>): String {
        val ended =
            when (state) {
                Unfinished.RUNNING -> "was killed"
                "failed" -> "had failed"
                else -> "was $state"
            }
        val although = if (differences.isEmpty()) "" else ", although " + differences.joinToString("; ")
        return "The run $ended, and was resumed at ${now()} after $there trial${if (there == 1) "" else "s"}$although."
    }

    private fun ready(): Pair<Machine, ForkJars> {
        val machine = Machine.read()
        Preflight.check(experiment, machine)
        if (remote != null) Preflight.checkRemote(experiment)
        AsyncProfiler.check(experiment.workload.treatments)
        experiment.java.forEach(javaHomes::executable)
        again?.let { earlier ->
            earlier.manifest.serializedClients.forEach { (id, kept) ->
                SerializedClient.check(id, kept, earlier.path.resolve(SerializedFiles.FOLDER).resolve(id))
            }
        }
        return machine to ForkJars.of(experiment.workload.clients)
    }

    private fun changed(run: String, differences: List<String>): LabException {
        val others = differences.size - MOST_NAMED
        val named = differences.take(MOST_NAMED).joinToString("; ") + if (others > 0) "; and $others more differ" else ""
        return LabException(
            "The run $run cannot go on as it began ($named): begin a new one with run(), or go on all the same with " +
                "resume(\"$run\", anyway = true), which its manifest will say.",
        )
    }

    /** One part of a run, from the start of its server to its end; a resumed run has several parts. */
    private inner class Session(
        private val folder: RunFolder,
        private var manifest: Manifest,
        private val jars: ForkJars,
        private val first: TrialServer,
    ) {
        private var server = first

        fun record(rounds: Rounds, fresh: Boolean) {
            var state = "failed"
            try {
                val rule = StopRule.of(experiment)?.sentence
                if (manifest.rule != rule) keep { copy(rule = rule) }
                val carried = carried(fresh)
                val stopped =
                    Journal(folder.path).use { journal ->
                        MachineJournal(folder.path).use { machine ->
                            watch.begin()
                            rounds.run(journal::append) { planned ->
                                val trials = trial(planned, carried[planned.treatment.client], rounds)
                                trials.warnedBy(watch.ended(planned).also(machine::append))
                            }
                        }
                    }
                keep { copy(state = Unfinished.FINISHED, endedAt = now(), stopped = stopped, readings = watch.readings) }
                state = Unfinished.FINISHED
                rounds.finished()
            } catch (e: InterruptedException) {
                state = "interrupted"
                throw e
            } catch (e: IOException) {
                throw LabException(
                    "The run ${folder.run} ended early (${e.message}); the trials so far are kept. Remove the cause, then go on " +
                        "with resume(\"${folder.run}\").",
                    e,
                )
            } finally {
                if (server !== first) server.close()
                peers.close()
                if (state != Unfinished.FINISHED) {
                    runCatching { rounds.stopped() }
                    // If the disk has no room even for that, the state stays `running`, which without a lock means killed.
                    runCatching { keep { copy(state = state, endedAt = now(), readings = watch.readings) } }
                }
            }
        }

        /** Written at once, so that a killed run keeps it. */
        private fun keep(change: Manifest.() -> Manifest) {
            manifest = manifest.change()
            manifest.write(folder.path)
        }

        /** The reader's own clients: packed now if no trial has used them yet, otherwise as the earlier trials had them. */
        private fun carried(fresh: Boolean): Map<String, SerializedClient> {
            val home = folder.path.resolve(SerializedFiles.FOLDER)
            val earlier = again?.let { brought(it, home) }.orEmpty()
            val own = experiment.own.map { it.info.id }
            val used = if (fresh && earlier.isEmpty()) experiment.workload.clients.filter { it.id !in own } else experiment.workload.clients
            val noted = manifest.serializedClients + earlier
            val there = used.mapNotNull { SerializedClient.packed(it.id, home, noted[it.id]) }.associateBy { it.id }
            val missing = experiment.own.filter { it.info.id !in there }
            val packed =
                if (missing.isEmpty()) {
                    emptyList()
                } else {
                    ForkSight(jars.of(null)).use { sight -> missing.map { SerializedClient.pack(it, home, sight) } }
                }
            val all = there + packed.associateBy { it.id }
            val kept = all.mapNotNull { (id, client) -> client.kept?.let { id to it } }.toMap()
            val warnings = packed.flatMap { it.warnings } - manifest.notes.toSet()
            if (warnings.isNotEmpty() ||
                kept != manifest.serializedClients
            ) {
                keep { copy(notes = notes + warnings, serializedClients = kept) }
            }
            return all
        }

        /** The cell clients that are kept with [earlier], copied to [home]. */
        private fun brought(earlier: RunFolder, home: Path): Map<String, SerializedFiles> {
            val kept = earlier.manifest.serializedClients
            kept.forEach { (id, files) -> files.copy(earlier.path.resolve(SerializedFiles.FOLDER).resolve(id), home.resolve(id)) }
            return kept
        }

        private fun trial(planned: Planned, carried: SerializedClient?, rounds: Rounds): List<Trial> {
            if (!server.alive) {
                val gone = server.gone
                if (server !== first) server.close()
                server = server.again()
                keep { copy(notes = notes + "$gone before trial ${rounds.number}.") }
            }
            val profiler = AsyncProfiler.of(folder.path, planned.round, planned.treatment)
            val spec =
                TrialSpec(
                    experiment = experiment.name,
                    round = planned.round,
                    workload = experiment.workload,
                    treatment = planned.treatment,
                    server = server.address,
                    peers = peers.of(experiment.workload.peers(planned.treatment)),
                    serializedClient = carried?.file?.toString(),
                )
            val process =
                TrialProcess(
                    classpath = jars.of(planned.treatment.client).let { carried?.classpath(it) ?: it },
                    jvmArgs = TrialJvm.options + experiment.workload.jvmArgs(planned.treatment) + profiler?.jvmArgs.orEmpty(),
                    java = experiment.javaOf(planned.treatment)?.let(javaHomes::executable) ?: TrialJvm.java,
                )
            val ran = process.run(spec, deadline = experiment.workload.expected(planned.treatment) * 3 + GRACE)
            return if (profiler == null || profiler.keep()) ran else ran.map { it.copy(warnings = it.warnings + AsyncProfiler.NOTHING) }
        }
    }

    /** The manifest of a run that begins now. */
    private fun manifest(run: String, machine: Machine, forks: ForkJars): Manifest {
        val git = GitState.of(LabHome.root)
        return Manifest(
            run = run,
            experiment = experiment,
            startedAt = now(),
            machine = machine,
            versions = versions,
            jars = jars(forks.all),
            libraries = forks.libraries,
            jvmArgs = TrialJvm.options,
            commit = git?.commit,
            dirty = git?.dirty,
        )
    }

    /** SHA-256 of every jar of a trial, by file name. */
    internal fun jars(classpath: List<Path>): Map<String, String> =
        (classpath + listOf(ServerProcess.jar)).associate { it.name to Sha256.of(it) }

    private fun now() = Instant.now().toString()

    private companion object {
        private val GRACE = 60.seconds
        private const val MOST_NAMED = 3
    }
}
