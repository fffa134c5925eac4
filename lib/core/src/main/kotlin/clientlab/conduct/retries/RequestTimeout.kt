package clientlab.conduct.retries

import clientlab.conduct.scene.*

/** RFC 9110, 15.5.9 lets a client repeat a request after a 408. */
internal val requestTimeoutGet = repeats("retries.408-get", "The server answers a GET with 408, every time.", "GET") { answer(408) }
internal val requestTimeoutPost = repeats("retries.408-post", "The server answers a POST with 408, every time.", "POST", mayRepeat = true) {
    answer(408)
}
