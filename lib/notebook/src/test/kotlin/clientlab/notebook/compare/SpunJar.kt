package clientlab.notebook.compare

import org.objectweb.asm.ClassReader
import org.objectweb.asm.ClassVisitor
import org.objectweb.asm.ClassWriter
import org.objectweb.asm.Label
import org.objectweb.asm.MethodVisitor
import org.objectweb.asm.Opcodes
import java.nio.file.Path
import java.util.zip.ZipEntry
import java.util.zip.ZipFile
import java.util.zip.ZipOutputStream
import kotlin.io.path.outputStream

private const val SENDS = "okhttp3/internal/http/CallServerInterceptor"
private const val SPIN = "okhttp3/internal/Spin"

/** A copy of OkHttp's [jar] at [to] that keeps a processor busy for [micros] before it sends each request. */
internal fun spun(jar: Path, micros: Long, to: Path): Path {
    ZipFile(jar.toFile()).use { from ->
        ZipOutputStream(to.outputStream()).use { out ->
            fun add(name: String, bytes: ByteArray) {
                out.putNextEntry(ZipEntry(name))
                out.write(bytes)
                out.closeEntry()
            }
            from.entries().asSequence().filter { !it.isDirectory }.forEach { entry ->
                val bytes = from.getInputStream(entry).readBytes()
                add(entry.name, if (entry.name == "$SENDS.class") spinning(bytes) else bytes)
            }
            add("$SPIN.class", spin(micros))
        }
    }
    return to
}

/** The class that sends, whose `intercept` spins first. */
private fun spinning(bytes: ByteArray): ByteArray {
    val writer = ClassWriter(0)
    val changed = object : ClassVisitor(Opcodes.ASM9, writer) {
        override fun visitMethod(
            access: Int,
            name: String,
            descriptor: String,
            signature: String?,
            exceptions: Array<String>?,
        ): MethodVisitor {
            val method = super.visitMethod(access, name, descriptor, signature, exceptions)
            if (name != "intercept") return method
            return object : MethodVisitor(Opcodes.ASM9, method) {
                override fun visitCode() {
                    super.visitCode()
                    visitMethodInsn(Opcodes.INVOKESTATIC, SPIN, "spin", "()V", false)
                }
            }
        }
    }
    ClassReader(bytes).accept(changed, 0)
    return writer.toByteArray()
}

/** `static void spin() { long until = System.nanoTime() + …; while (System.nanoTime() < until); }` */
private fun spin(micros: Long): ByteArray {
    val writer = ClassWriter(ClassWriter.COMPUTE_FRAMES or ClassWriter.COMPUTE_MAXS)
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, SPIN, null, "java/lang/Object", null)
    val method = writer.visitMethod(Opcodes.ACC_PUBLIC or Opcodes.ACC_STATIC, "spin", "()V", null, null)
    val again = Label()

    fun now() = method.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "nanoTime", "()J", false)
    method.visitCode()
    now()
    method.visitLdcInsn(micros * NANOS)
    method.visitInsn(Opcodes.LADD)
    method.visitVarInsn(Opcodes.LSTORE, 0)
    method.visitLabel(again)
    now()
    method.visitVarInsn(Opcodes.LLOAD, 0)
    method.visitInsn(Opcodes.LCMP)
    method.visitJumpInsn(Opcodes.IFLT, again)
    method.visitInsn(Opcodes.RETURN)
    method.visitMaxs(0, 0)
    method.visitEnd()
    writer.visitEnd()
    return writer.toByteArray()
}

private const val NANOS = 1_000L
