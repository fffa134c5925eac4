package clientlab.notebook.run

import clientlab.*
import clientlab.child.*
import clientlab.notebook.fork.*
import clientlab.notebook.journal.*
import clientlab.trial.*
import java.io.IOException
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.Callable
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.seconds

/** One part of a run, from the start of its server to its end; a resumed run has several parts. */
internal class RunPart(
    private val experiment: Experiment<*>,
    private val folder: RunFolder,
    private var manifest: Manifest,
    first: TrialServer,
    private val jars: ForkJars,
    private val javaHomes: JavaHomes,
    private val watch: MachineWatch,
) {
    private val peers = Peers()
    private val wires = Wires { builtJar("The wire", "server/wire/target/wire.jar") }
    private val servers = Servers(first)

    /** Runs the missing trials of [rounds]. [fresh] says that no trial has used the cell clients yet; those of [again] are used again. */
    fun record(rounds: Rounds, again: RunFolder?, fresh: Boolean) {
        var state = "failed"
        try {
            val rule = StopRule.of(experiment)?.sentence
            if (manifest.rule != rule) keep { copy(rule = rule) }
            val stopped = measure(rounds, cellClients(again, fresh))
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
            servers.close()
            peers.close()
            wires.close()
            if (state != Unfinished.FINISHED) {
                runCatching { rounds.stopped() }
                // If the disk has no room even for that, the state stays `running`, which without a lock means killed.
                runCatching { keep { copy(state = state, endedAt = now(), readings = watch.readings) } }
            }
        }
    }

    /** Runs the missing trials, and returns why a run with a precision ended. */
    private fun measure(rounds: Rounds, clients: Map<String, SerializedClient>): String? =
        Journal(folder.path).use { journal ->
            MachineJournal(folder.path).use { machine ->
                val notes =
                    Pinning.all(experiment).map { it.note } + listOfNotNull(DUET.takeIf { experiment.duet }) - manifest.notes.toSet()
                if (notes.isNotEmpty()) keep { copy(notes = this.notes + notes) }
                watch.begin()
                rounds.run(journal::append, ::betweenRounds) { planned -> measured(planned, machine) { atOnce(planned, clients, rounds) } }
            }
        }

    /** Measures [planned] until nothing disturbs it, or it has been repeated as often as it may be. */
    private fun measured(planned: List<Planned>, machine: MachineJournal, trials: () -> List<List<Trial>>): List<List<Trial>> {
        repeat(experiment.repeats) {
            val (forks, readings) = trials().let { it to watch.ended(planned, repeats = true) }
            if (readings.all { it.disturbed.isEmpty() }) return forks.also { readings.forEach(machine::append) }
            forks.zip(readings) { ran, reading -> RepeatedTrials.append(folder.path, ran.warnedBy(reading)) }
            keep { copy(readings = watch.readings) }
        }
        return trials().zip(watch.ended(planned).onEach(machine::append)) { ran, reading -> ran.warnedBy(reading) }
    }

    private fun betweenRounds(after: Int?, before: Int?) {
        watch.betweenRounds(after, before)
        keep { copy(readings = watch.readings) }
    }

    /** Written at once, so that a killed run keeps it. */
    private fun keep(change: Manifest.() -> Manifest) {
        manifest = manifest.change()
        manifest.write(folder.path)
    }

    /** The reader's own clients: packed now if no trial has used them yet, otherwise as the earlier trials had them. */
    private fun cellClients(again: RunFolder?, fresh: Boolean): Map<String, SerializedClient> {
        val home = folder.path.resolve(SerializedFiles.FOLDER)
        val earlier = again?.manifest?.serializedClients.orEmpty()
        earlier.forEach { (id, files) -> files.copy(checkNotNull(again).serialized(id), home.resolve(id)) }
        val own = experiment.own.associateBy { it.info.id }
        val ids = experiment.workload.clients.map { it.id }
        val used = if (fresh && earlier.isEmpty()) ids - own.keys else ids
        val noted = manifest.serializedClients + earlier
        val there = used.mapNotNull { SerializedClient.packed(it, home, noted[it]) }
        val missing = own - there.map { it.id }.toSet()
        val packed = if (missing.isEmpty()) emptyList() else pack(missing.values, home)
        val all = (there + packed).associateBy { it.id }
        val kept = buildMap { all.forEach { (id, client) -> client.kept?.let { put(id, it) } } }
        val warnings = packed.flatMap { it.warnings } - manifest.notes.toSet()
        val changed = warnings.isNotEmpty() || kept != manifest.serializedClients
        if (changed) keep { copy(notes = notes + warnings, serializedClients = kept) }
        return all
    }

    private fun pack(clients: Collection<OwnClient>, home: Path) =
        ForkSight(jars.built()).use { sight -> clients.map { SerializedClient.pack(it, home, sight) } }

    /** Measures [planned], each in a fork of its own: one trial, or both of a duet at the same time. */
    private fun atOnce(planned: List<Planned>, clients: Map<String, SerializedClient>, rounds: Rounds): List<List<Trial>> {
        // A run that was killed between the two lines of its journal would go on with one alone, beside which nothing runs.
        val torn = experiment.duet && planned.size == 1
        if (torn) return planned.map { listOf(Trial.invalid(experiment.name, it.round, it.treatment, ALONE)) }
        val taken = servers.take(planned.size) { gone -> keep { copy(notes = notes + "$gone before trial ${rounds.number}.") } }
        val forks = planned.zip(taken) { one, server -> fork(one, clients[one.treatment.client], server) }
        return forks.singleOrNull()?.let { listOf(it()) } ?: duet(forks)
    }

    /** An interrupt of this thread ends all [forks], and is thrown after they have ended. */
    private fun duet(forks: List<() -> List<Trial>>): List<List<Trial>> =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("lab-fork-", 0).factory()).use { threads ->
            try {
                threads.invokeAll(forks.map { Callable(it) }).map { it.get() }
            } catch (e: ExecutionException) {
                throw e.cause ?: e
            }
        }

    /** Prepares the trial [planned] against [server]; what is returned runs it. */
    private fun fork(planned: Planned, own: SerializedClient?, server: TrialServer): () -> List<Trial> {
        val (round, treatment) = planned
        val workload = experiment.workload
        val profiler = AsyncProfiler.of(folder.path, round, treatment)
        val spec = TrialSpec(
            experiment = experiment.name,
            round = round,
            workload = workload,
            treatment = treatment,
            server = wires.through(workload.wire(treatment), server.address),
            peers = peers.of(workload.peers(treatment)),
            serializedClient = own?.file?.toString(),
        )
        val pinning = Pinning.of(treatment)
        val process = TrialProcess(
            classpath = jars.of(treatment).let { own?.classpath(it) ?: it },
            jvmArgs = TrialJvm.options + workload.jvmArgs(treatment) + pinning?.jvmArgs.orEmpty() + profiler?.jvmArgs.orEmpty(),
            java = experiment.javaOf(treatment)?.let(javaHomes::executable) ?: TrialJvm.java,
            before = pinning?.command.orEmpty(),
        )
        val run = { process.run(spec, deadline = workload.expected(treatment) * 3 + GRACE) }
        val others = listOfNotNull(server.pid) + wires.pids
        return {
            val ran = pinning?.without(others, run) ?: run()
            if (profiler == null || profiler.keep()) ran else ran.map { it.copy(warnings = it.warnings + AsyncProfiler.NOTHING) }
        }
    }

    private fun now() = Instant.now().toString()
}

private val GRACE = 60.seconds
private const val DUET = "Both trials of a round ran at the same time, each against a delay server of its own."
private const val ALONE = "The run ended when the other trial of this duet had been kept, so this one would have been measured alone."
