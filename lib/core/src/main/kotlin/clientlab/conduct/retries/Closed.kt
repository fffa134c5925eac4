package clientlab.conduct.retries

import clientlab.conduct.scene.*

internal val closedGet = repeats("retries.closed-get", "The server closes the connection of a GET without an answer, every time.", "GET") {
    close()
}
internal val closedPost =
    repeats("retries.closed-post", "The server closes the connection of a POST without an answer, every time.", "POST") {
        close()
    }
