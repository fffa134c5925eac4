package clientlab.conduct.answers

import clientlab.conduct.scene.*
import java.io.ByteArrayOutputStream
import java.util.zip.GZIPOutputStream

internal val gzip = Situation("answers.gzip", "The server sends 10 MiB of zeros, packed by gzip into 10 KiB, though nobody asked for it.") {
    val packed = ByteArrayOutputStream().also { to -> GZIPOutputStream(to).use { it.write(ByteArray(ZEROS)) } }.toByteArray()
    val server = server {
        receive()
        send("HTTP/1.1 200 Made\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.size}\r\n\r\n")
        send(packed)
    }
    val ending = open(server).ask()
    val bytes = (ending as? Ending.Answered)?.reply?.bytes
    when (bytes) {
        packed.size.toLong() -> Observed("leaves it packed")
        ZEROS.toLong() -> Observed("unpacks it", concern = "A small answer becomes a thousand times larger in the client's memory.")
        null -> Observed(if (ending.isAnswer()) "takes it, and does not say how large it is" else ending.words, ending.ms)
        else -> Observed("takes another number of bytes", concern = "Neither what was sent nor what is packed in it.")
    }
}

private const val ZEROS = 10 shl 20
