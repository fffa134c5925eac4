package clientlab.server.request

/**
 * A request asks for what cannot be; [message] is the one sentence that it is answered with. Has no stack trace, for it is no fault here.
 */
internal class BadRequest(override val message: String) : RuntimeException(message, null, false, false)
