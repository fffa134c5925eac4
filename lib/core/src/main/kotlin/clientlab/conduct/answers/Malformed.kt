package clientlab.conduct.answers

import clientlab.conduct.scene.*

internal val badChunk = wrong(
    "answers.bad-chunk",
    "A chunk of the answer has a length that is no number.",
    concern = "RFC 9112, 7.1: a length is hexadecimal, and what follows cannot be told apart.",
) { send("HTTP/1.1 200 Made\r\nTransfer-Encoding: chunked\r\n\r\nfive\r\n12345\r\n0\r\n\r\n") }

internal val twoLengths = wrong(
    "answers.two-lengths",
    "The server states two lengths, 2 and 5, and sends five bytes.",
    closes = false,
    concern = "RFC 9112, 6.3: such an answer must be refused, for its end is not known.",
) { send("HTTP/1.1 200 Made\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n12345") }

internal val notHttp = wrong(
    "answers.not-http",
    "The server speaks another protocol.",
    concern = "What came is no answer in HTTP.",
) { send("220 mail.example ESMTP\r\n") }
