package clientlab.clients.recipes

import java.net.Inet6Address
import java.net.InetAddress
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteExisting
import kotlin.io.path.writeText

/** Prints which addresses this JVM finds for a name that has one of each kind. */
fun main() {
    val hosts = createTempFile("hosts").apply { writeText("::1 both.test\n127.0.0.1 both.test\n") }
    System.setProperty("jdk.net.hosts.file", "$hosts")
    println(InetAddress.getAllByName("both.test").map { if (it is Inet6Address) "IPv6" else "IPv4" }.sorted().joinToString(" "))
    hosts.deleteExisting()
}
