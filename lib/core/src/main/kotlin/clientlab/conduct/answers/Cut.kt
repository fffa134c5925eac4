package clientlab.conduct.answers

import clientlab.conduct.scene.*

internal val short = wrong(
    "answers.short",
    "The server promises 10 bytes, sends 5 and closes the connection.",
    concern = "RFC 9112, 8: such a message is incomplete, and here nobody is told.",
) { send("HTTP/1.1 200 Made\r\nContent-Length: 10\r\n\r\n12345") }

internal val cutChunks = wrong(
    "answers.cut-chunks",
    "The server answers in chunks and closes the connection before the last one.",
    concern = "RFC 9112, 8: such a message is incomplete, and here nobody is told.",
) { send("HTTP/1.1 200 Made\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n") }

internal val cutHead = wrong(
    "answers.cut-head",
    "The server closes the connection within the head of its answer.",
    concern = "Half a head is no answer.",
) { send("HTTP/1.1 200 Made\r\nContent-Le") }
