package clientlab.notebook.run

import clientlab.*
import clientlab.machine.*
import clientlab.notebook.catalogue.*
import clientlab.notebook.fork.*
import clientlab.notebook.home.*
import clientlab.notebook.journal.*
import java.nio.file.Path
import java.time.Instant
import kotlin.io.path.name

/**
 * One execution of an experiment: takes the lock, starts the delay server, and runs every planned trial in a fork of its own.
 *
 * Each trial is on the disk before the next begins. An interrupt ends the fork and the server, leaves the trials so far in the folder with
 * the state `interrupted`, and is rethrown. If the server dies, the trial in progress is invalid and the next one has a new server. After
 * any end [resume] runs the missing trials. If [remote] names a running server's control port, the run uses it. If another run is in
 * progress, it refuses, or calls [onBusy] and waits if there is one. If it repeats the run [again], it uses the cell clients that are kept
 * there.
 */
internal class Run(
    private val experiment: Experiment<*>,
    private val listener: ProgressListener,
    private val versions: Map<String, String> = CatalogueReader.catalogue.versions,
    private val watch: MachineWatch = MachineWatch(),
    private val remote: String? = null,
    private val onBusy: ((RunGoingOn) -> Unit)? = null,
    private val javaHomes: JavaHomes = JavaHomes(),
    private val again: RunFolder? = null,
) {
    /** Runs it to its end and returns its folder. */
    fun execute(): RunFolder {
        val (machine, jars) = ready()
        return locked { lock ->
            record(experiment, Kept(experiment), jars, remote) { server ->
                val folder = RunFolder.create(experiment)
                lock.names(folder.run)
                folder to manifest(folder.run, machine, jars).copy(server = server.properties, readings = watch.readings)
            }
        }
    }

    /**
     * Runs the missing trials of [run], or of the newest unfinished run, and returns its folder. Refuses if the experiment, the libraries
     * or the machine have changed; with [anyway] it continues the manifest's experiment, and the notes say what differs.
     */
    fun resume(run: String?, anyway: Boolean): RunFolder {
        val (machine, jars) = ready()
        return locked { lock ->
            val folder = Unfinished.find(experiment.name, run)
            lock.names(folder.run)
            val was = folder.manifest
            val remote = remote ?: was.server[RemoteServer.URL]
            val place = listOfNotNull(remote).associate { RemoteServer.URL to RemoteServer.shown(it) }
            val differences = Differences.between(was, manifest(folder.run, machine, jars).copy(server = place))
            if (differences.isNotEmpty() && !anyway) throw changed(folder.run, differences)
            val asked = was.experiment.copy(own = experiment.own)
            Preflight.check(asked, machine)
            AsyncProfiler.check(asked.workload.treatments)
            val kept = Kept(asked)
            val cut = Journal.mend(folder.path, kept::add)
            val there = kept.size
            record(asked, kept, jars, remote, was.readings) {
                val notes = was.notes + cut.notes + resumed(was.state, there, differences)
                folder to was.copy(state = Unfinished.RUNNING, endedAt = null, notes = notes)
            }
        }
    }

    /** Runs the trials of [asked] that are not [kept]. The machine is read and the server started before the manifest is [begun]. */
    private fun record(
        asked: Experiment<*>,
        kept: Kept,
        jars: ForkJars,
        remote: String?,
        earlier: MachineReadings? = null,
        begun: (TrialServer) -> Pair<RunFolder, Manifest>,
    ): RunFolder {
        val rounds = Rounds(asked, kept, listener).apply { begin() }
        watch.before(earlier)
        return server(asked, remote).use { server ->
            val (folder, manifest) = begun(server)
            manifest.write(folder.path)
            RunPart(asked, folder, manifest, server, jars, javaHomes, watch).record(rounds, again, fresh = kept.size == 0)
            RunFolder(folder.path)
        }
    }

    private fun <T> locked(run: (RunLock) -> T): T =
        (onBusy?.let { RunLock.await(experiment.name, told = it) } ?: RunLock.take(experiment.name)).use(run)

    private fun server(asked: Experiment<*>, remote: String?): TrialServer =
        remote?.let(RemoteServer::find)?.also { Preflight.checkRemote(asked, it.address) } ?: ServerProcess.start(asked.workload.protocols)

    /** The note about resuming. Only one process holds the lock, so another run that says `running` was killed. */
    private fun resumed(state: String, there: Int, differences: List<String>): String {
        val ended = mapOf(Unfinished.RUNNING to "was killed", "failed" to "had failed")[state] ?: "was $state"
        val although = if (differences.isEmpty()) "" else ", although " + differences.joinToString("; ")
        return "The run $ended, and was resumed at ${Instant.now()} after $there trial${if (there == 1) "" else "s"}$although."
    }

    private fun ready(): Pair<Machine, ForkJars> {
        val machine = Machine.read()
        Preflight.check(experiment, machine)
        if (remote != null) Preflight.checkRemote(experiment)
        AsyncProfiler.check(experiment.workload.treatments)
        experiment.java.forEach(javaHomes::executable)
        again?.let { from ->
            from.manifest.serializedClients.forEach { (id, kept) -> SerializedClient.check(id, kept, from.serialized(id)) }
        }
        return machine to ForkJars.of(experiment.workload)
    }

    private fun changed(run: String, differences: List<String>): LabException {
        val others = differences.size - MOST_NAMED
        val named = differences.take(MOST_NAMED).joinToString("; ") + if (others > 0) "; and $others more differ" else ""
        return LabException(
            "The run $run cannot go on as it began ($named): begin a new one with run(), or go on all the same with " +
                "resume(\"$run\", anyway = true), which its manifest will say.",
        )
    }

    /** The manifest of a run that begins now. */
    private fun manifest(run: String, machine: Machine, forks: ForkJars): Manifest {
        val git = arrayOf("git", "-C", LabHome.root.toString())
        val installed = LabHome.installedFrom
        val commit = installed ?: outputOf(*git, "rev-parse", "HEAD")?.trim()?.ifEmpty { null }
        val isRepository = installed == null && commit != null
        val changes = if (isRepository) outputOf(*git, "status", "--porcelain", "--", "lib", "server", "pom.xml").orEmpty() else null
        return Manifest(
            run = run,
            experiment = experiment,
            startedAt = Instant.now().toString(),
            machine = machine,
            versions = versions,
            jars = jars(forks.all),
            libraries = forks.libraries,
            jvmArgs = TrialJvm.options,
            commit = commit,
            dirty = changes?.isNotBlank(),
            registered = Registration.hashesFor(experiment.name),
        )
    }

    /** SHA-256 of every jar of a trial, by file name. A path is itself a list of names, so it is not added as it is. */
    fun jars(classpath: List<Path>): Map<String, String> = (classpath + listOf(ServerProcess.jar)).associate { it.name to Sha256.of(it) }
}

private const val MOST_NAMED = 3
