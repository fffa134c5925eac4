package clientlab.notebook.fork

import clientlab.client.*
import org.objectweb.asm.ClassWriter
import org.objectweb.asm.MethodVisitor
import org.objectweb.asm.Opcodes
import java.net.URLClassLoader
import java.nio.file.Path
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.createParentDirectories
import kotlin.io.path.outputStream
import kotlin.io.path.writeBytes

/**
 * What a cell is to a kernel that loaded a library for it: the class of a cell that calls one, and two jars of which the first calls the
 * second. None of it is on the classpath of the tests.
 *
 * @property named lies as a repository has it, [plain] anywhere.
 */
internal class MadeLibrary(folder: Path) {
    val named: Path = folder.resolve("repository/made/library/greeter/1.0/greeter-1.0.jar")
    val plain: Path = folder.resolve("elsewhere/deep.jar")
    private val cells = folder.resolve("cells").createDirectories()
    private val loader by lazy {
        URLClassLoader(listOf(cells, named, plain).map { it.toUri().toURL() }.toTypedArray(), javaClass.classLoader)
    }

    init {
        jar(named, "made/library/Greeter", statusFrom(DEEP))
        jar(plain, DEEP, status())
        cells.resolve("$CELL.class").writeBytes(calling())
    }

    /** A new instance of the cell's class, which opens the address and answers with what the library says. */
    fun call(): BlockingCall = loader.loadClass(CELL).getDeclaredConstructor().newInstance() as BlockingCall

    /** Makes the jar without a name as large as [bytes], and more. */
    fun swell(bytes: Int) {
        jar(plain, DEEP, status(), extra = ByteArray(bytes) { (it * it).toByte() })
    }

    private fun jar(file: Path, name: String, code: ByteArray, extra: ByteArray? = null) {
        JarOutputStream(file.createParentDirectories().outputStream()).use { out ->
            out.setLevel(0)
            out.putNextEntry(JarEntry("$name.class"))
            out.write(code)
            extra?.let {
                out.putNextEntry(JarEntry("extra.bin"))
                out.write(it)
            }
        }
    }

    private fun status() = type(DEEP) { staticStatus { visitIntInsn(Opcodes.SIPUSH, OK) } }

    private fun statusFrom(other: String) =
        type("made/library/Greeter") { staticStatus { visitMethodInsn(Opcodes.INVOKESTATIC, other, "status", "()I", false) } }

    private fun ClassWriter.staticStatus(value: MethodVisitor.() -> Unit) =
        method("status", "()I", Opcodes.ACC_STATIC) {
            value()
            visitInsn(Opcodes.IRETURN)
        }

    private fun calling() =
        type(CELL, "clientlab/client/BlockingCall") {
            method("<init>", "()V") {
                visitVarInsn(Opcodes.ALOAD, 0)
                visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false)
                visitInsn(Opcodes.RETURN)
            }
            method("get", "(Ljava/net/URI;)I") {
                visitVarInsn(Opcodes.ALOAD, 1)
                visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/net/URI", "toURL", "()Ljava/net/URL;", false)
                visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/net/URL", "openStream", "()Ljava/io/InputStream;", false)
                visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/io/InputStream", "readAllBytes", "()[B", false)
                visitInsn(Opcodes.POP)
                visitMethodInsn(Opcodes.INVOKESTATIC, "made/library/Greeter", "status", "()I", false)
                visitInsn(Opcodes.IRETURN)
            }
        }

    private fun type(name: String, vararg interfaces: String, members: ClassWriter.() -> Unit): ByteArray =
        ClassWriter(ClassWriter.COMPUTE_MAXS)
            .apply {
                visit(Opcodes.V21, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", interfaces)
                members()
                visitEnd()
            }.toByteArray()

    private fun ClassWriter.method(name: String, descriptor: String, access: Int = 0, code: MethodVisitor.() -> Unit) =
        visitMethod(Opcodes.ACC_PUBLIC or access, name, descriptor, null, null).run {
            visitCode()
            code()
            visitMaxs(0, 0)
            visitEnd()
        }

    private companion object {
        const val CELL = "Line_11_jupyter\$Uses"
        const val DEEP = "made/deep/Deep"
        const val OK = 200
    }
}
