package clientlab.notebook.run

import clientlab.*
import clientlab.machine.*
import clientlab.notebook.fork.*
import clientlab.probe.*
import java.net.InetAddress
import java.net.NetworkInterface

/** The conditions that must hold before the first trial. Each has a sentence that says what would be right. */
internal object Preflight {
    fun check(experiment: Experiment<*>, machine: Machine) {
        checkVersions(experiment)
        checkJava(experiment)
        checkProcessors(experiment, machine.cores)
        val most = experiment.workload.mostConnections
        val files = machine.openFiles ?: return
        val allowed = files - RESERVE
        if (most > allowed) throw LabException(tooFew(most, files, allowed))
    }

    /** What the limit of open [files] means for [most] requests in flight, of which [allowed] would fit, and how to raise it. */
    private fun tooFew(most: Int, files: Long, allowed: Long): String {
        val limit = maxOf(ENOUGH, most + RESERVE)
        val raise = "raise the limit (`ulimit -n $limit`) in the shell that starts the notebook; where that is refused, " +
            "an administrator raises it (Linux: nofile in /etc/security/limits.conf; macOS: launchctl limit maxfiles)."
        val least = "$most in flight need as many open files, and a process here may have $files"
        if (allowed > 0) return "$least: ask for at most $allowed, or $raise"
        return "A process here may have $files open files, and the lab itself needs $RESERVE, so there is no room for a request: $raise"
    }

    /** A gateway is a separate program, which is built with the lab's libraries. */
    private fun checkVersions(experiment: Experiment<*>) {
        val versioned = experiment.workload.clients.firstOrNull { it.version != null } ?: return
        if (experiment.workload.treatments.none { Peer.Gateway in experiment.workload.peers(it) }) return
        throw LabException(
            "A gateway is built with the lab's own libraries, so $versioned cannot be measured in one: ask for ${versioned.unversioned}, " +
                "or for another workload.",
        )
    }

    /** A cell is compiled for the notebook's own Java. */
    private fun checkJava(experiment: Experiment<*>) {
        val own = experiment.own.firstOrNull() ?: return
        val here = Runtime.version().feature()
        val older = experiment.java.firstOrNull { it.feature < here } ?: return
        throw LabException(
            "The client '${own.info.id}' was compiled for Java $here by the cell that it stands in, so Java $older cannot run it: leave " +
                "that out, or leave the client out.",
        )
    }

    /** A client's own processors are taken from the [allowed] ones. A container's quota may limit them together to fewer [cores]. */
    fun checkProcessors(
        experiment: Experiment<*>,
        cores: Int,
        allowed: List<Int> = AllowedProcessors.of(),
        canPin: () -> Boolean = Pinning::works,
    ) {
        val most = experiment.treatments.mapNotNull { it.processors }.maxOrNull() ?: return
        if (allowed.isEmpty() || !canPin()) {
            throw LabException(
                "processors gives the client processors of its own by Linux's program taskset, which cannot be used here: install it " +
                    "(package util-linux), run on Linux, or leave out processors.",
            )
        }
        val there = minOf(allowed.size, cores)
        if (most < there) return
        val instead = if (there > 1) "ask for at most ${there - 1}" else "leave out processors"
        throw LabException(
            "processors = $most needs ${most + 1} or more, because the server and the generator run on others, and this process may use " +
                "$there: $instead, or use a larger machine.",
        )
    }

    /** Checks what a remote server can do. */
    fun checkRemote(experiment: Experiment<*>) {
        if (experiment.workload.treatments.any { experiment.workload.wire(it) != Wire.direct }) {
            throw LabException(
                "The wire runs on this machine, before a delay server of the run's own, and there is a network to yours already: " +
                    "leave out wire, or run without a remote server.",
            )
        }
        if (experiment.duet) {
            throw LabException(
                "Each trial of a duet has a delay server of its own, and yours is one: leave out duet = true, or run without a remote server.",
            )
        }
        if (experiment.workload.treatments.none { Peer.Jetty in experiment.workload.peers(it) }) return
        throw LabException(
            "Jetty runs on this machine and your delay server does not, so they cannot be compared: leave out server = Jetty, or run " +
                "without a remote server.",
        )
    }

    /** Checks that the server at [address] can do what the experiment needs. */
    fun checkRemote(experiment: Experiment<*>, address: ServerAddress) {
        if (experiment.treatments.any { it.processors != null } && isHere(address.host)) {
            throw LabException(
                "The delay server at ${address.host} runs on this machine and is not this run's own, so it cannot be kept off the " +
                    "client's processors: run without a remote server, or leave out processors.",
            )
        }
        if (Protocol.Http3 in experiment.workload.protocols && address.http3Port == null) {
            throw LabException(
                "The delay server at ${address.host} has no port for HTTP/3: start it with --http3-port 0, or leave that out.",
            )
        }
        val overTls = experiment.workload.protocols.find { it.tls && it != Protocol.Http3 } ?: return
        if (address.tlsUrl == null || address.certificate == null) {
            throw LabException(
                "The delay server at ${address.host} has no port for TLS, which $overTls needs: start it with --tls-port 0, or leave that out.",
            )
        }
    }

    private fun isHere(host: String): Boolean =
        InetAddress.getByName(host).let { it.isLoopbackAddress || NetworkInterface.getByInetAddress(it) != null }

    /** File descriptors for jars, logs and the control connection. */
    private const val RESERVE = 300L

    /** Open files for every experiment of the notebooks. */
    private const val ENOUGH = 20_000L
}
