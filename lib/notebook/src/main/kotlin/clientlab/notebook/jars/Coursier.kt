package clientlab.notebook.jars

import clientlab.*
import coursierapi.Dependency
import coursierapi.Fetch
import coursierapi.Module
import coursierapi.ResolutionParams
import coursierapi.Versions
import coursierapi.error.CoursierError
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URI
import java.nio.file.Path
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneOffset

/** Artifacts by [coursier](https://get-coursier.io), with its settings on this machine. No other part of the lab fetches artifacts. */
internal object Coursier : JarSource {
    /** The jar of [artifact] alone, without its dependencies. */
    override fun fetch(artifact: String): Path? = asking(artifact) {
        val files = Fetch.create().addDependencies(dependency(artifact).withTransitive(false)).fetch()
        files.singleOrNull()?.toPath()
    }

    /** [artifacts] with all their dependencies in the newest requested versions or the [forced] ones, [without] those `group:name`s. */
    fun resolve(artifacts: List<String>, forced: Map<String, String>, without: Set<String>): List<String> = asking(artifacts.first()) {
        val excluded = without.map { it.split(':') }
        val asked = artifacts.map { excluded.fold(dependency(it)) { made, (group, name) -> made.addExclusion(group, name) } }
        val modules = forced.mapKeys { it.key.split(':').let { (group, name) -> Module.of(group, name) } }
        val fetch = Fetch.create().addDependencies(*asked.toTypedArray())
        val found = fetch.withResolutionParams(ResolutionParams.create().withForceVersions(modules)).fetchResult().dependencies
        found.map { "${it.module.organization}:${it.module.name}:${it.version}" }.distinct().sorted()
    }

    /** The versions of [library], `group:name`, that are listed where artifacts come from; none if it is not listed. */
    fun versions(library: String): List<String> = asking(library) {
        val (group, name) = library.split(':')
        Versions.create().withModule(Module.of(group, name)).versions().mergedListings.available
    }

    /** The day on which [artifact] was signed or, without a signature, was put where it comes from; null if neither is told there. */
    fun released(artifact: String): LocalDate? = asking(artifact) {
        val found = Fetch.create().addDependencies(dependency(artifact).withTransitive(false)).fetchResult().artifacts
        found.firstOrNull()?.key?.url?.let { signed("$it.asc") ?: lastModified(it) }
    }

    private fun signed(address: String): LocalDate? = told(address) { SigningDay.of(inputStream.reader().use { it.readText() }) }

    private fun lastModified(address: String): LocalDate? = told(address) {
        requestMethod = "HEAD"
        lastModified.takeIf { it > 0 }?.let { LocalDate.ofInstant(Instant.ofEpochMilli(it), ZoneOffset.UTC) }
    }

    /** What [say] finds at [address], or null if it cannot be asked. */
    private fun <T> told(address: String, say: HttpURLConnection.() -> T?): T? {
        val asked = URI(address).toURL().openConnection() as? HttpURLConnection ?: return null
        asked.connectTimeout = PATIENCE_MS
        asked.readTimeout = PATIENCE_MS
        return try {
            asked.say()
        } catch (_: IOException) {
            null
        } finally {
            asked.disconnect()
        }
    }

    private fun dependency(artifact: String): Dependency =
        artifact.split(':').let { (group, name, version) -> Dependency.of(group, name, version) }

    private fun <T> asking(artifact: String, ask: () -> T): T = try {
        ask()
    } catch (e: CoursierError) {
        val lines = e.message.orEmpty().lines()
        val why = lines.firstOrNull(String::isNotBlank)?.let(::withoutAddress) ?: "no reason was given"
        throw LabException(
            "$artifact could not be fetched ($why): it needs a network, and ./lab prefetch --versions fetches all that is locked while " +
                "there is one.",
            e,
        )
    }

    /** A message for a reader names no address of a repository. */
    private fun withoutAddress(line: String): String = line.replace(Regex("https?://\\S+/"), "…/").take(MOST).trim(':', ' ')

    private const val MOST = 160
    private const val PATIENCE_MS = 5_000
}
