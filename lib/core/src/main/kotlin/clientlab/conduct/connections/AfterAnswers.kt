package clientlab.conduct.connections

import clientlab.conduct.scene.*

internal val afterOk = reuse("connections.after-200", "The server answers with 200. The caller sends another request.") { answer() }
internal val afterNotFound = reuse("connections.after-404", "The server answers with 404. The caller sends another request.") {
    answer(404)
}
internal val afterError = reuse("connections.after-500", "The server answers with 500. The caller sends another request.") {
    answer(500)
}
internal val afterNoContent = reuse("connections.after-204", "The server answers with 204. The caller sends another request.") {
    send("HTTP/1.1 204 Made\r\n\r\n")
}
internal val afterChunks = reuse("connections.after-chunks", "The server answers in chunks. The caller sends another request.") {
    send("HTTP/1.1 200 Made\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
}
