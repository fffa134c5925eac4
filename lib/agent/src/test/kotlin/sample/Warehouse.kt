package sample

import okhttp3.OkHttpClient

/** An object of a service: a client, a number that is named like a limit, and one that is not. */
class Warehouse(
    val client: OkHttpClient,
    val maxShelves: Int = 91,
    val rows: Int = 92,
)
