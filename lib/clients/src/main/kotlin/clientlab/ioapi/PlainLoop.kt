package clientlab.ioapi

import java.io.DataInputStream
import java.io.FileInputStream
import java.net.Socket

/**
 * The yardstick: what a reader would write who knows nothing of this lab, in a JVM of its own. It uses nothing of the lab.
 *
 * Each line on standard input is one more time; the answer is `nanoseconds bytes checksum`. Arguments: `read <file>` or
 * `send <port> <bytes>`.
 */
public fun main(arguments: Array<String>) {
    if (arguments[0] == "read") read(arguments[1]) else send(arguments[1].toInt(), arguments[2].toLong())
}

private fun read(file: String) {
    val buffer = ByteArray(65536)
    while (readlnOrNull() != null) {
        val began = System.nanoTime()
        var bytes = 0L
        FileInputStream(file).use { stream ->
            while (true) {
                val length = stream.read(buffer)
                if (length < 0) break
                bytes += length
            }
        }
        println("${System.nanoTime() - began} $bytes -1")
    }
}

private fun send(port: Int, bytes: Long) {
    val buffer = ByteArray(65536) { (it * 31 + (it ushr 8) * 7).toByte() }
    val socket = Socket("127.0.0.1", port)
    val output = socket.getOutputStream()
    val receipt = DataInputStream(socket.getInputStream())
    while (readlnOrNull() != null) {
        val began = System.nanoTime()
        var left = bytes
        while (left > 0) {
            val length = minOf(left, buffer.size.toLong()).toInt()
            output.write(buffer, 0, length)
            left -= length
        }
        val arrived = receipt.readLong()
        val checksum = receipt.readLong()
        println("${System.nanoTime() - began} $arrived $checksum")
    }
}
