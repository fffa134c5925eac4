package clientlab.server.page

import clientlab.server.request.*

/** The description of a server with this [limit] and these [recorded] delays, written when it is first asked for. */
internal class ServerDescription(private val limit: DelayLimit, private val recorded: Set<String>) : Description {
    override val page: String by lazy { indexPage(limit, recorded) }
    override val text: String by lazy { indexText() }
    override val openApi: String by lazy { openApi(limit) }
}
