package clientlab.client

import clientlab.*

/**
 * The clients that a trial JVM can open, found by [java.util.ServiceLoader] on its classpath.
 *
 * `lib/clients` provides the only one.
 */
public interface ClientCatalogue {
    /** All entries, in the order in which tables and legends show them; ids are unique. */
    public val entries: List<CatalogueEntry>
}

/** A client and its description. [create] is called in the trial JVM only, so listing clients loads none of them. */
public class CatalogueEntry(public val info: ClientInfo, public val create: () -> Client)
