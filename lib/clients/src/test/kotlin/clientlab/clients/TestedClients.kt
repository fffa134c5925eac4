package clientlab.clients

import clientlab.*
import clientlab.client.*
import java.lang.management.ManagementFactory
import java.nio.file.Path
import java.util.Locale
import kotlin.io.path.readLines

/**
 * The clients that tests run over: all of the catalogue, or one with its configurations and its twin on virtual threads, where
 * `./lab test --client NAME` sets the property `lab.client`.
 */
internal object TestedClients {
    /** Without those that need a newer library than the tests have: whole runs test them in versions from the lock. */
    private val infos: List<ClientInfo> get() = chosen(System.getProperty("lab.client")).filter { it.worksHere }

    val ids: List<String> get() = infos.map { it.id }

    /** Those whose limits are all opened. */
    val opened: List<String> get() = infos.filter { it.configuration == ClientInfo.OPENED }.map { it.id }

    /** The clients of the catalogue that [name] asks for, all if it is null; fails if there is none. */
    fun chosen(name: String?): List<ClientInfo> {
        val all = Catalogue().entries.map { it.info }
        if (name == null) return all
        val base = name.substringBefore('@').removeSuffix("-virtual")
        val found = all.filter { it.id.substringBefore('@') in setOf(base, "$base-virtual") }
        check(found.isNotEmpty()) { "Catalogue.kt lists no client '$name': add its listing there, or give an id that catalogue() shows." }
        return found
    }
}

private val ClientInfo.worksHere: Boolean
    get() = since?.let { VersionOrder.atLeast(OWN.getValue(library), it) } ?: true

/** The versions of the libraries that the tests have, by `group:name`. */
private val OWN: Map<String, String> by lazy { versionsIn(Path.of("target/resolved.txt").readLines()) }

internal fun info(id: String): ClientInfo = Catalogue().entries.map { it.info }.single { it.id == id }

/** Has a failure of [check] begin with the [client], and with [busyMachine] where the machine is busy. */
internal fun named(client: String, check: () -> Unit) {
    try {
        check()
    } catch (e: AssertionError) {
        throw AssertionError("$client: ${busyMachine()}${e.message}", e)
    }
}

/** What to do first about a failure if [load] is more than [processors] can do; empty if it is not. */
internal fun busyMachine(load: Double, processors: Int): String =
    if (load <= processors) {
        ""
    } else {
        "The machine is busy: its load is ${"%.1f".format(Locale.ROOT, load)} on $processors processors, so requests may not " +
            "have been in flight together. Run this test again when the machine is quiet, before you look for a fault.\n"
    }

/** The same for this machine now. */
internal fun busyMachine(): String =
    ManagementFactory.getOperatingSystemMXBean().let { busyMachine(it.systemLoadAverage, it.availableProcessors) }
