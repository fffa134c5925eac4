package clientlab.conduct.retries

import clientlab.conduct.scene.*

internal val unavailable = repeats("retries.503", "The server answers a GET with 503 and Retry-After: 0, every time.", "GET") {
    answer(503, "later", "Retry-After: 0")
}
internal val tooMany = repeats("retries.429", "The server answers a GET with 429 and Retry-After: 0, every time.", "GET") {
    answer(429, "later", "Retry-After: 0")
}
