package clientlab.notebook.fork

import clientlab.Experiment
import clientlab.Outcome
import clientlab.Trial
import clientlab.notebook.LabHome
import clientlab.notebook.journal.GitState
import clientlab.notebook.journal.Journal
import clientlab.notebook.journal.MachineJournal
import clientlab.notebook.journal.Manifest
import clientlab.notebook.journal.RunFolder
import clientlab.run.Machine
import clientlab.run.Planned
import clientlab.run.Schedule
import clientlab.run.TrialSpec
import java.nio.file.Path
import java.security.MessageDigest
import java.time.Instant
import kotlin.io.path.inputStream
import kotlin.io.path.name
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * One execution of an experiment: takes the lock, starts the delay server, and runs every planned trial in a fork of its own.
 *
 * Each trial is on the disk before the next begins. An interrupt ends the fork and the server, leaves the trials so far in the folder
 * with the state `interrupted`, and is rethrown. Where the server dies, the trial in progress is invalid and the next has a new server.
 */
internal class Run(
    private val experiment: Experiment,
    private val listener: ProgressListener,
    private val versions: Map<String, String>,
    private val watch: MachineWatch = MachineWatch(),
) {
    private val began = TimeSource.Monotonic.markNow()
    private val plan = Schedule.of(experiment)
    private val peers = Peers()
    private var done = 0
    private var invalid = 0

    /** Runs it to its end and returns its folder. */
    fun execute(): RunFolder {
        val machine = Machine.read()
        Preflight.check(experiment, machine)
        AsyncProfiler.check(experiment.workload.treatments)
        val classpath = TrialJvm.classpath()
        return RunLock.take(experiment.name).use {
            listener.report(Progress(0, plan.size, null, remaining(0)))
            watch.before()
            ServerProcess.start().use { first ->
                val folder = RunFolder.create(experiment)
                val manifest = manifest(folder, machine, classpath, first)
                manifest.write(folder.path)
                record(folder, manifest, classpath, first)
                folder
            }
        }
    }

    private fun record(folder: RunFolder, manifest: Manifest, classpath: List<Path>, first: ServerProcess) {
        var state = "failed"
        var server = first
        val notes = mutableListOf<String>()
        try {
            val carried =
                ForkSight(classpath).use { sight ->
                    experiment.own.associate { it.info.id to CarriedClient.pack(it, folder.path.resolve("carried"), sight) }
                }
            notes += carried.values.flatMap { it.warnings }
            Journal(folder.path).use { journal ->
                MachineJournal(folder.path).use { machine ->
                    watch.begin()
                    plan.forEachIndexed { index, planned ->
                        listener.report(Progress(index, plan.size, planned.treatment.toString(), remaining(index), invalid))
                        if (!server.alive) {
                            if (server !== first) server.close()
                            server = ServerProcess.start()
                            notes += "The delay server had ended and was started again before trial ${index + 1}."
                        }
                        val trials = trial(folder, planned, classpath, server, carried[planned.treatment.client])
                        val reading = watch.ended(planned).also(machine::append)
                        trials.warnedBy(reading).forEach(journal::append)
                        done++
                    }
                }
            }
            state = "finished"
            listener.report(Progress(plan.size, plan.size, null, Duration.ZERO, invalid))
        } catch (e: InterruptedException) {
            state = "interrupted"
            throw e
        } finally {
            val stopped = state != "finished"
            if (stopped) runCatching { listener.report(Progress(done, plan.size, null, Duration.ZERO, invalid, stopped = true)) }
            if (server !== first) server.close()
            peers.close()
            manifest
                .copy(state = state, endedAt = Instant.now().toString(), notes = notes, readings = watch.readings)
                .write(folder.path)
        }
    }

    private fun trial(
        folder: RunFolder,
        planned: Planned,
        classpath: List<Path>,
        server: ServerProcess,
        carried: CarriedClient?,
    ): List<Trial> {
        val profiler = AsyncProfiler.of(folder.path, planned.round, planned.treatment)
        val spec =
            TrialSpec(
                experiment = experiment.name,
                round = planned.round,
                workload = experiment.workload,
                treatment = planned.treatment,
                server = server.address,
                peers = peers.of(experiment.workload.peers(planned.treatment)),
                carried = carried?.file?.toString(),
            )
        val process =
            TrialProcess(
                classpath = classpath + listOfNotNull(carried?.classes),
                jvmArgs = TrialJvm.options + experiment.workload.jvmArgs(planned.treatment) + profiler?.jvmArgs.orEmpty(),
            )
        val ran = process.run(spec, deadline = experiment.workload.expected(planned.treatment) * 3 + GRACE)
        val trials = if (profiler == null || profiler.keep()) ran else ran.map { it.copy(warnings = it.warnings + AsyncProfiler.NOTHING) }
        invalid += trials.count { !it.warmup && it.outcome == Outcome.Invalid }
        return trials
    }

    private fun manifest(folder: RunFolder, machine: Machine, classpath: List<Path>, server: ServerProcess): Manifest {
        val git = GitState.of(LabHome.root)
        return Manifest(
            run = folder.run,
            experiment = experiment,
            startedAt = Instant.now().toString(),
            machine = machine,
            versions = versions,
            jars = (classpath + listOf(ServerProcess.jar)).associate { it.name to sha256(it) },
            jvmArgs = TrialJvm.options,
            server = server.properties,
            commit = git?.commit,
            dirty = git?.dirty,
            readings = watch.readings,
        )
    }

    /** What the trials from [index] on should take: their bursts, and beside them what the trials so far took beyond theirs. */
    private fun remaining(index: Int): Duration {
        fun bursts(trials: List<Planned>) = trials.fold(Duration.ZERO) { sum, it -> sum + experiment.workload.expected(it.treatment) }
        val beyond = if (index == 0) OVERHEAD else ((began.elapsedNow() - bursts(plan.take(index))) / index).coerceAtLeast(Duration.ZERO)
        return bursts(plan.drop(index)) + beyond * (plan.size - index)
    }

    private fun sha256(file: Path): String {
        val digest = MessageDigest.getInstance("SHA-256")
        file.inputStream().use { input ->
            val buffer = ByteArray(1 shl 16)
            while (true) {
                val read = input.read(buffer)
                if (read < 0) break
                digest.update(buffer, 0, read)
            }
        }
        return digest.digest().joinToString("") { "%02x".format(it) }
    }

    private companion object {
        private val OVERHEAD = 1200.milliseconds
        private val GRACE = 60.seconds
    }
}
