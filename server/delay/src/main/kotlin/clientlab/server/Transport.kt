package clientlab.server

import io.netty.channel.IoHandlerFactory
import io.netty.channel.ServerChannel
import io.netty.channel.epoll.Epoll
import io.netty.channel.epoll.EpollIoHandler
import io.netty.channel.epoll.EpollServerSocketChannel
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioServerSocketChannel

/** Which interface drives the server's sockets: Linux's epoll, Java's NIO, or epoll if this machine has it (auto). */
public enum class Transport {
    AUTO,
    EPOLL,
    NIO,
    ;

    /** The parts of the transport; throws [CannotStartException] if epoll was asked for and this machine has none. */
    internal fun wiring(): Wiring = when {
        this == NIO -> NIO_WIRING

        Epoll.isAvailable() -> EPOLL_WIRING

        this == AUTO -> NIO_WIRING

        else -> throw CannotStartException(
            "This machine has no epoll for the server (${Epoll.unavailabilityCause()?.message}): leave --transport out, or choose nio.",
        )
    }
}

/** A transport's three parts, which must come from the same family. */
internal class Wiring(
    val name: String,
    val handler: () -> IoHandlerFactory,
    val serverChannel: Class<out ServerChannel>,
)

private val EPOLL_WIRING = Wiring("epoll", { EpollIoHandler.newFactory() }, EpollServerSocketChannel::class.java)
private val NIO_WIRING = Wiring("nio", { NioIoHandler.newFactory() }, NioServerSocketChannel::class.java)
