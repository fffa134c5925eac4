package clientlab.server

import clientlab.server.answer.*
import clientlab.server.request.*
import java.util.Random

/** Requests as no client should send them, in many shapes; the same for the same [seed]. Not thread-safe. */
internal class Malformed(seed: Long) {
    private val random = Random(seed)
    private val shapes: List<() -> ByteArray> = listOf(
        { bytes(random.nextInt(1, 400)) },
        ::mutated,
        { good().let { it.copyOf(random.nextInt(it.size)) } },
        { head(line = "GET /${"x".repeat(random.nextInt(20_000))} HTTP/1.1") },
        { head(headers = List(random.nextInt(1, 900)) { "X-$it: ${text(random.nextInt(60))}" }) },
        { head(headers = listOf("X: " + text(random.nextInt(30_000)))) },
        { head(line = "POST /delay HTTP/1.1", headers = listOf("Transfer-Encoding: chunked")) + chunks() },
        { head(line = "POST /sink HTTP/1.1", headers = listOf("Transfer-Encoding: chunked")) + chunks() },
        { head(line = "POST /delay HTTP/1.1", headers = List(random.nextInt(1, 3)) { "Content-Length: ${length()}" }) + bytes(20) },
        {
            head(
                line = "PUT /sink HTTP/1.1",
                headers = listOf("Content-Length: ${length()}", "Transfer-Encoding: ${pick("chunked", "gzip", "x")}"),
            )
        },
        { head(line = "${pick("GET", "get", "", "G T", "POST", "OPTIONS", "TRACE", "CONNECT", text(9))} ${target()} ${version()}") },
        { head(line = "GET ${target()} HTTP/1.1") },
        { head(line = "GET /delay?${query()} HTTP/1.1") },
        { head(line = "GET ${pick("/bytes/", "/status/", "/v1/crawl/delay/")}${value()}?${query()} HTTP/1.1") },
        { good().map { if (it == '\r'.code.toByte()) '\n'.code.toByte() else it }.toByteArray() },
        {
            head(
                headers = listOf(
                    pick(
                        " X: folded",
                        "X : y",
                        ": y",
                        "\u0000: y",
                        "X\u000b: y",
                        "Host",
                        "Expect: 100-continue",
                        "Expect: magic",
                    ),
                ),
            )
        },
        { "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".encodeToByteArray() + bytes(random.nextInt(100)) },
        { byteArrayOf(22, 3, 1, 2, 0, 1) + bytes(random.nextInt(500)) },
        { head(line = "GET /delay?delay=0.02 HTTP/1.1") + head(line = "GET /health HTTP/1.1") + bytes(random.nextInt(1, 100)) },
        { "GET /health HTTP/1.1\r\n\r\n".repeat(random.nextInt(1, 300)).encodeToByteArray() + mutated() },
    )

    fun next(): ByteArray = shapes[random.nextInt(shapes.size)]()

    private fun good(): ByteArray = head(
        line = "GET /delay?delay=0.01&a=${random.nextInt(100)} HTTP/1.1",
        headers = listOf("Accept: */*"),
    )

    private fun mutated(): ByteArray {
        val bytes = good().toMutableList()
        repeat(random.nextInt(1, 8)) {
            val at = random.nextInt(bytes.size)
            when (random.nextInt(3)) {
                0 -> bytes[at] = random.nextInt(256).toByte()
                1 -> bytes.add(at, random.nextInt(256).toByte())
                else -> if (bytes.size > 1) bytes.removeAt(at)
            }
        }
        return bytes.toByteArray()
    }

    private fun head(line: String = "GET /delay HTTP/1.1", headers: List<String> = emptyList()): ByteArray =
        (listOf(line, "Host: localhost") + headers).joinToString("") { "$it\r\n" }.plus("\r\n").toByteArray(Charsets.ISO_8859_1)

    private fun chunks(): ByteArray =
        (1..random.nextInt(1, 6))
            .joinToString("") {
                pick(
                    "5\r\nhello\r\n",
                    "5;x=y\r\nhello\r\n",
                    "ffffffffffffffff\r\n",
                    "-1\r\nx\r\n",
                    "zz\r\n",
                    "5\r\nhe",
                    "0\r\nX: y\r\n\r\n",
                    "\r\n",
                )
            }.encodeToByteArray()

    private fun length(): String = pick(
        "-1",
        "x",
        "",
        "9223372036854775808",
        "1e3",
        "0x10",
        "20",
        "3",
        "3,3",
        "3 3",
        "+3",
        "1048577",
        "2147483648",
    )

    private fun version(): String = pick("HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "HTTP/1", "http/1.1", "", "HTTP/1.1 x", text(5))

    private fun target(): String = pick(
        "/",
        "*",
        "//",
        "/..",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/%00",
        "/%zz",
        "http://",
        "http://a",
        "http://a/delay?delay=0",
        "?",
        "/delay?%",
        "/delay?=&=&&",
        "/delay#x",
        "/delay/",
        "delay",
        "/\u00ff\u00fe",
        "/openapi.json?x",
        "/health?" + query(),
        "/" + text(random.nextInt(40)),
    )

    private fun query(): String = (0..random.nextInt(5)).joinToString("&") { pick(*KEYS, text(3)) + pick("=", "", "==", "%3D") + value() }

    private fun value(): String = pick(
        "0",
        "1",
        "-1",
        "0.01",
        "1e9",
        "NaN",
        "",
        "%",
        "%zz",
        "99999999999999999999",
        "half",
        "after",
        "before",
        "close",
        "reset",
        "stall",
        "200",
        "599",
        "normal(1ms,1ms)",
        "normal(",
        "exp(1ms)",
        "file(../../etc/passwd)",
        "uniform(1ms,",
        "pareto(1us,0.000000001)",
        text(random.nextInt(60)),
    )

    private fun pick(vararg of: String): String = of[random.nextInt(of.size)]

    private fun bytes(n: Int): ByteArray = ByteArray(n).also(random::nextBytes)

    private fun text(n: Int): String = String(CharArray(n) { random.nextInt(1, 256).toChar() })

    private companion object {
        val KEYS = Parameter.entries.map { it.key }.toTypedArray()
    }
}
