package clientlab.notebook.chart

import kotlin.random.Random

/** Charts like the real ones, over numbers that are made up but of the right size; what the tests draw. */
internal object Gallery {
    private val blocked = listOf("retrofit", "okhttp", "ktor-okhttp", "urlconnection", "jdk-blocking")
    private val few = mapOf(
        "ktor-apache" to 5,
        "ktor-apache5" to 4,
        "apache5-async" to 2,
        "ktor-java" to 1,
        "jdk" to 1,
        "ktor-cio" to 1,
        "ktor-cio@article" to 1,
        "retrofit-virtual" to 0,
        "urlconnection-virtual" to 0,
    )
    val clients: List<String> = blocked + "fuel" + few.keys

    private fun threadsOf(client: String, inFlight: Int, random: Random): Int = when (client) {
        "fuel" -> 64
        in blocked -> inFlight + random.nextInt(2)
        else -> few.getValue(client)
    }

    private fun timeOf(client: String, inFlight: Int, random: Random): Double = when (client) {
        "ktor-cio@article" -> inFlight / 100 * 2_065.0 + random.nextInt(60)
        "fuel" -> (inFlight + 63) / 64 * 2_012.0 + random.nextInt(60)
        "ktor-apache" -> 2_284.0 + if (random.nextInt(5) == 0) 1_900.0 else random.nextInt(150).toDouble()
        else -> 2_090.0 + inFlight * 0.6 + random.nextInt(220)
    }

    private fun trials(levels: List<Int>, forks: Int = 10): List<Map<String, Any?>> {
        val random = Random(42)
        return levels.flatMap { n ->
            clients.flatMap { client ->
                List(forks) {
                    val (threads, wall) = threadsOf(client, n, random) to timeOf(client, n, random)
                    mapOf("client" to client, "inFlight" to n, "threads" to threads, "wallMs" to wall)
                }
            }
        }
    }

    private fun summary(trials: List<Map<String, Any?>>, metric: String): List<Map<String, Any?>> =
        trials.groupBy { it["client"] to it["inFlight"] }.map { (key, rows) ->
            val values = rows.map { (it[metric] as Number).toDouble() }.sorted()
            val middle = (values[(values.size - 1) / 2] + values[values.size / 2]) / 2
            mapOf(
                "client" to key.first,
                "inFlight" to key.second,
                "median" to middle,
                "low" to values[values.size / 5],
                "high" to values[values.size * 4 / 5],
                "most" to values.last(),
                "text" to "%.0f".format(java.util.Locale.ROOT, middle),
            )
        }

    fun threads(): Chart {
        val trials = trials(listOf(100, 500))
        val points = ChartData.ofRows(trials)
        val medians = ChartData.ofRows(summary(trials, "threads"))
        return Chart(
            title = "Five clients hold a thread for each request in flight; the others hold a handful",
            subtitle = "Requests of 2 s against the delay server on loopback; threads that are not parked, when all are in flight",
            caption = "Median and 95 % bootstrap interval over n = 10 forks, every trial as a dot · run 2026-11-21T01-43-37Z",
            alt = "Threads per client at 100 and 500 requests in flight: Retrofit 101 and 501, Ktor CIO 1 and 1.",
            marks = listOf(
                Points(points, "threads", "client", color = "client", role = PointRole.TRIAL),
                Intervals(medians, "median", "client", "low", "high", color = "client"),
                Points(medians, "median", "client", color = "client"),
                Labels(medians, "median", "client", text = "text"),
            ),
            x = NumberAxis("threads"),
            y = CategoryAxis(clients),
            facets = Facets("inFlight", listOf("100", "500"), free = true, titles = listOf("100", "500").associateWith { "$it in flight" }),
        )
    }

    fun time(): Chart {
        val trials = trials(listOf(500)).map { it + ("seconds" to (it.getValue("wallMs") as Double) / 1000) }
        val summary = summary(trials, "seconds")
        val medians = ChartData.ofRows(summary.map { it + ("text" to "%.2f s".format(java.util.Locale.ROOT, it["median"])) })
        return Chart(
            title = "Between opened clients the time at 500 in flight hardly differs; limits cost waves",
            subtitle = "500 requests of 2 s at once",
            caption = "Every trial as a dot, median and 95 % interval, n = 10 forks · run 2026-11-21T01-43-37Z",
            alt = "Execution time per client: most need 2.4 s, ktor-cio@article 10.3 s and Fuel 16.1 s.",
            marks = listOf(
                ReferenceLines.atX(2, "the delay"),
                Points(ChartData.ofRows(trials), "seconds", "client", color = "client", role = PointRole.TRIAL),
                Intervals(medians, "median", "client", "low", "high", color = "client"),
                Points(medians, "median", "client", color = "client"),
                Labels(medians, "most", "client", text = "text"),
            ),
            x = NumberAxis("seconds from the first request sent to the last answer read"),
            y = CategoryAxis(clients),
        )
    }

    fun growth(): Chart {
        val levels = listOf(10, 50, 100, 200, 500, 1000)
        val medians = summary(trials(levels, forks = 5), "threads")
        val last = ChartData.ofRows(medians.filter { it["inFlight"] == 1000 })
        val data = ChartData.ofRows(medians)
        return Chart(
            title = "Threads grow with the requests in flight, or not at all",
            subtitle = "Median threads that are not parked, requests of 2 s",
            caption = "n = 5 forks a point · run 2026-11-21T01-43-37Z",
            alt = "Threads against requests in flight on logarithmic axes, one line per client.",
            marks = listOf(
                Lines(data, "inFlight", "median", series = "client"),
                Points(data, "inFlight", "median", color = "client"),
                Labels(last, "inFlight", "median", text = "client", color = "client", place = LabelPlace.END),
            ),
            x = NumberAxis("requests in flight", NumberScale.LOG10, breaks = levels),
            y = NumberAxis("threads", NumberScale.LOG10),
        )
    }

    fun variance(): Chart {
        val trials = trials(listOf(100, 500)).filter { it["client"] !in setOf("fuel", "ktor-cio@article") }
        val spread = trials.groupBy { it["client"] to it["inFlight"] }.map { (key, rows) ->
            val values = rows.map { it["wallMs"] as Double }
            val mean = values.average()
            val deviation = Math.sqrt(values.sumOf { (it - mean) * (it - mean) } / (values.size - 1))
            mapOf("client" to key.first, "inFlight" to "${key.second} in flight", "cv" to deviation / mean * 100)
        }
        return Chart(
            title = "Ktor Apache varies most from fork to fork",
            subtitle = "Standard deviation over forks, in per cent of the mean",
            caption = "n = 10 forks · run 2026-11-21T01-43-37Z",
            alt = "Variation of the execution time per client at 100 and 500 in flight; Ktor Apache leads.",
            marks = listOf(Bars(ChartData.ofRows(spread), "cv", "client", color = "inFlight", lane = "inFlight")),
            x = NumberAxis("% of the mean"),
            y = CategoryAxis(clients - setOf("fuel", "ktor-cio@article")),
            legend = Legend.TOP,
            colors = mapOf("100 in flight" to "#9db8d9", "500 in flight" to "#2b5c9e"),
        )
    }

    fun curve(): Chart {
        val opened = listOf(0.0 to 0, 0.01 to 120, 0.03 to 280, 0.06 to 440, 0.1 to 500, 2.01 to 400, 2.06 to 180, 2.12 to 30, 2.2 to 0)
            .map { mapOf("client" to "ktor-cio", "s" to it.first, "inFlight" to it.second) }
        val wave = listOf(0.0 to 0, 0.02 to 60, 0.05 to 100, 2.05 to 20)
        val waves = (0 until 5).flatMap { n -> wave.map { (s, inFlight) -> n * 2.06 + s to inFlight } } + (10.35 to 0)
        val article = waves.map { mapOf("client" to "ktor-cio@article", "s" to it.first, "inFlight" to it.second) }
        return Chart(
            title = "As the article sets it, CIO sends 500 requests in five waves of 100",
            subtitle = "Requests in flight as the server saw them, 500 requests of 2 s",
            caption = "One trial of each · run 2026-11-21T01-43-37Z",
            alt = "The server holds 500 requests of ktor-cio at once, but only 100 of ktor-cio@article at any time.",
            marks = listOf(
                ReferenceLines.atY(100, "100 a route"),
                Lines(ChartData.ofRows(opened + article), "s", "inFlight", series = "client", steps = true),
            ),
            x = NumberAxis("seconds"),
            y = NumberAxis("requests in flight", breaks = listOf(0, 100, 300, 500)),
            facets = Facets("client", listOf("ktor-cio@article", "ktor-cio"), columns = 1),
        )
    }

    fun article(): Chart {
        val ours = summary(trials(listOf(500)), "threads").map { it + ("source" to "ours") }
        val reported = mapOf(
            "retrofit" to 501,
            "ktor-okhttp" to 501,
            "fuel" to 501,
            "ktor-apache" to 5,
            "ktor-apache5" to 4,
            "ktor-java" to 1,
            "ktor-cio@article" to 1,
        )
        val theirs = reported.map { (client, n) -> mapOf("client" to client, "median" to n, "text" to "$n", "source" to "article") }
        val order = reported.keys.toList()
        val both = ChartData.ofRows(theirs + ours.filter { it["client"] in order })
        return Chart(
            title = "All but Fuel hold as many threads as the article says",
            subtitle = "Threads that are not parked at 500 requests in flight",
            caption = "Ours: median of n = 10 forks · run 2026-11-21T01-43-37Z. Article: its table, as printed.",
            alt = "The article's table beside ours: equal for all clients but Fuel, 501 there and 64 here.",
            marks = listOf(
                Bars(both, "median", "client", color = "source", lane = "source"),
                Labels(both, "median", "client", text = "text", lane = "source"),
            ),
            x = NumberAxis("threads"),
            y = CategoryAxis(order),
            legend = Legend.TOP,
            colors = mapOf("article" to Style.ARTICLE, "ours" to "#2b5c9e"),
        )
    }

    fun empty(): Chart = growth().copy(marks = listOf(Points(ChartData(emptyMap()), "inFlight", "median", "client")))

    val all: Map<String, () -> Chart> = linkedMapOf(
        "threads" to ::threads,
        "time" to ::time,
        "growth" to ::growth,
        "variance" to ::variance,
        "curve" to ::curve,
        "article" to ::article,
        "empty" to ::empty,
    )
}
