package clientlab.conduct.retries

import clientlab.conduct.scene.*

internal val resetGet = repeats("retries.reset-get", "The server resets the connection of a GET, every time.", "GET") { reset() }
internal val resetPost = repeats("retries.reset-post", "The server resets the connection of a POST, every time.", "POST") { reset() }
