package clientlab.trial

import clientlab.*
import clientlab.client.*
import clientlab.probe.*

/** A probe that knows the threads of the client [info], and the frames that stand on a thread while one of its requests is under way. */
internal fun threadProbeOf(info: ClientInfo): ThreadProbe =
    ThreadProbe(ThreadOwners(info.owners)) { frame -> frame.startsWith(BLOCKING) || info.callFrames.any { frame.startsWith(it) } }

private val BLOCKING: String = BlockingSession::class.java.name
