package clientlab

import java.io.Serializable

/** A client of the reader's own, written in a notebook cell. */
public interface OwnClient {
    /** What names it in columns and legends. */
    public val info: ClientInfo

    /** Its code, which is serialized into the forks. */
    public val client: Serializable
}
