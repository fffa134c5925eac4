package clientlab.notebook.jars

import clientlab.*
import coursierapi.Dependency
import coursierapi.Fetch
import coursierapi.Module
import coursierapi.ResolutionParams
import coursierapi.error.CoursierError
import java.nio.file.Path

/**
 * Artifacts by [coursier](https://get-coursier.io), from the repositories and the cache of its settings on this machine. No other part of
 * the lab fetches artifacts.
 */
internal object Coursier : JarSource {
    /** The jar of [artifact] alone, without its dependencies. */
    override fun fetch(artifact: String): Path? =
        asking(artifact) {
            Fetch
                .create()
                .addDependencies(dependency(artifact).withTransitive(false))
                .fetch()
                .singleOrNull()
                ?.toPath()
        }

    /**
     * [artifacts] (`group:name:version`) with all their dependencies, each in the newest requested version, or in the [forced] one
     * (`group:name` to version). [without] lists excluded `group:name`s.
     */
    fun resolve(artifacts: List<String>, forced: Map<String, String>, without: Set<String>): List<String> =
        asking(artifacts.first()) {
            val params =
                ResolutionParams
                    .create()
                    .withForceVersions(forced.mapKeys { (module, _) -> module.split(':').let { (group, name) -> Module.of(group, name) } })
            val asked = artifacts.map { artifact ->
                without.fold(dependency(artifact)) { made, module ->
                    module.split(':').let { (group, name) -> made.addExclusion(group, name) }
                }
            }
            Fetch
                .create()
                .addDependencies(*asked.toTypedArray())
                .withResolutionParams(params)
                .fetchResult()
                .dependencies
                .map { "${it.module.organization}:${it.module.name}:${it.version}" }
                .distinct()
                .sorted()
        }

    private fun dependency(artifact: String): Dependency {
        val (group, name, version) = artifact.split(':')
        return Dependency.of(group, name, version)
    }

    private fun <T> asking(artifact: String, ask: () -> T): T =
        try {
            ask()
        } catch (e: CoursierError) {
            val why = e.message
                .orEmpty()
                .lineSequence()
                .map(String::trim)
                .firstOrNull(String::isNotEmpty)
                ?.let(::withoutAddress)
            throw LabException(
                "$artifact could not be fetched (${why ?: "no reason was given"}): it needs a network, and ./lab prefetch --versions " +
                    "fetches all that is locked while there is one.",
                e,
            )
        }

    /** A message for a reader names no address of a repository. */
    private fun withoutAddress(text: String): String = text.replace(Regex("https?://\\S+/"), "…/").take(MOST).trimEnd(':', ' ')

    private const val MOST = 160
}
