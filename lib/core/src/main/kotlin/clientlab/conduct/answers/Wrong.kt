package clientlab.conduct.answers

import clientlab.conduct.scene.*
import kotlin.time.Duration.Companion.milliseconds

/** An answer that is wrong: whether the caller learns of it. [closes] says that the server closes the connection behind it. */
internal fun wrong(id: String, story: String, closes: Boolean = true, concern: String, script: Connection.() -> Unit) =
    Situation(id, story) {
        val server = server {
            receive()
            script()
            if (closes) {
                pause(LET_READ)
                close()
            }
        }
        val ending = open(server).ask()
        if (ending.isAnswer()) Observed("takes it for a whole answer", concern = concern) else Observed(ending.words, ending.ms)
    }

private val LET_READ = 30.milliseconds
