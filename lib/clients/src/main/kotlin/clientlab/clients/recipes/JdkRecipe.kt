package clientlab.clients.recipes

import kotlinx.coroutines.suspendCancellableCoroutine
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** It has no limit of its own. */
internal fun jdk(deadline: Duration): HttpClient =
    HttpClient
        .newBuilder()
        // None by default.
        .connectTimeout(deadline.toJavaDuration())
        .build()

internal suspend fun HttpClient.get(url: URI, deadline: Duration): HttpResponse<String> {
    val request = HttpRequest
        .newBuilder(url)
        // None by default. It ends when the answer begins: put withTimeout around the call for the rest.
        .timeout(deadline.toJavaDuration())
        .build()
    return suspendCancellableCoroutine { caller ->
        val answer = sendAsync(request, BodyHandlers.ofString())
        // await() would cancel the future alone, and the server would work on.
        caller.invokeOnCancellation { answer.cancel(true) }
        answer.whenComplete { response, failure -> if (failure == null) caller.resume(response) else caller.resumeWithException(failure) }
    }
}
