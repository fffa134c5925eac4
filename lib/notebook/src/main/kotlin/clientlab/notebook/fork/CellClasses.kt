package clientlab.notebook.fork

import org.objectweb.asm.ClassReader
import org.objectweb.asm.ClassVisitor
import org.objectweb.asm.ClassWriter
import org.objectweb.asm.FieldVisitor
import org.objectweb.asm.MethodVisitor
import org.objectweb.asm.Opcodes
import org.objectweb.asm.Type
import java.io.Serializable
import java.net.URLClassLoader
import java.nio.file.Path
import kotlin.io.path.name

/** Which classes a trial JVM can load: those of the JDK and of [classpath]. */
internal class ForkSight(classpath: List<Path>) : AutoCloseable {
    private val loader = loaderOf(classpath)
    private val core = loaderOf(classpath.filter(::isCore))

    fun sees(internalName: String): Boolean = loader.getResource("$internalName.class") != null

    /** The same of a fork that has core and what core needs, and no client's library. */
    fun seesOfCore(internalName: String): Boolean = core.getResource("$internalName.class") != null

    override fun close() {
        loader.close()
        core.close()
    }

    private fun loaderOf(jars: List<Path>) =
        URLClassLoader(jars.map { it.toUri().toURL() }.toTypedArray(), ClassLoader.getPlatformClassLoader())

    companion object {
        private val CORE =
            listOf("client-lab-core-", "kotlin-stdlib-", "kotlinx-coroutines-core-jvm-", "kotlinx-serialization-", "HdrHistogram-")

        /** Whether [jar] is core, or what core needs. */
        fun isCore(jar: Path): Boolean = CORE.any { jar.name.startsWith(it) }
    }
}

/** Classes that cells compiled, found by following the references of one to the others. */
internal class CellClasses(private val fork: ForkSight) {
    val bytes = LinkedHashMap<String, ByteArray>()
    val singletons = LinkedHashSet<String>()

    /** The libraries that cells loaded and these classes name. */
    val libraries = CellLibraries(fork)

    /** Takes in [type], where it comes from a cell, and every class of a cell that it names. */
    fun follow(type: Class<*>) {
        val name = Type.getInternalName(type)
        if (!isOfCell(type.name) || name in bytes) return
        val loader = type.classLoader
        val compiled = loader.getResourceAsStream("$name.class")?.use { it.readBytes() } ?: return
        val own = if (isCell(type.name)) staticsOnly(compiled, loader) else compiled
        bytes[name] = own
        if (isSingleton(type)) singletons += type.simpleName
        for (reference in ClassReferences.of(withoutMemberList(own))) {
            val referred = reference.replace('/', '.')
            if (isOfCell(referred)) {
                runCatching { Class.forName(referred, false, loader) }.onSuccess(::follow)
            } else {
                libraries.takeIn(reference, loader)
            }
        }
    }

    /**
     * The class of a whole cell, without what belongs to its instance, which is never carried.
     *
     * A lambda may stand in it as a static method, and Java looks through all of its members to find that one: every type that a member
     * names must then be there, a DataFrame of the same cell too. So fields, constructors and methods that name what a fork does not see
     * are left out.
     */
    private fun staticsOnly(compiled: ByteArray, loader: ClassLoader): ByteArray {
        val writer = ClassWriter(0)
        ClassReader(compiled).accept(
            object : ClassVisitor(Opcodes.ASM9, writer) {
                override fun visit(
                    version: Int,
                    access: Int,
                    name: String,
                    signature: String?,
                    parent: String?,
                    interfaces: Array<out String>?,
                ) {
                    super.visit(version, access, name, null, "java/lang/Object", null)
                }

                override fun visitField(
                    access: Int,
                    name: String,
                    descriptor: String,
                    signature: String?,
                    value: Any?,
                ): FieldVisitor? = null

                override fun visitMethod(
                    access: Int,
                    name: String,
                    descriptor: String,
                    signature: String?,
                    exceptions: Array<out String>?,
                ): MethodVisitor? {
                    val types = Type.getArgumentTypes(descriptor) + Type.getReturnType(descriptor)
                    val carried = access and Opcodes.ACC_STATIC != 0 && name != "<clinit>" && types.all { loadable(it, loader) }
                    return if (carried) super.visitMethod(access, name, descriptor, null, exceptions) else null
                }
            },
            ClassReader.SKIP_DEBUG,
        )
        return writer.toByteArray()
    }

    private fun loadable(type: Type, loader: ClassLoader): Boolean =
        when (type.sort) {
            Type.ARRAY -> loadable(type.elementType, loader)
            Type.OBJECT -> isOfCell(type.className) || libraries.takeIn(type.internalName, loader) || fork.sees(type.internalName)
            else -> true
        }

    private fun isSingleton(type: Class<*>) =
        !Serializable::class.java.isAssignableFrom(type) &&
            runCatching { type.declaredFields.any { it.name in SINGLETON } }.getOrDefault(false)

    /** A class lists all that is declared in it, used or not: the list would carry, and warn of, every object of the same cell. */
    private fun withoutMemberList(code: ByteArray): ByteArray {
        val writer = ClassWriter(0)
        val source = ClassReader(code)
        source.accept(
            object : ClassVisitor(Opcodes.ASM9, writer) {
                override fun visitInnerClass(name: String, outer: String?, inner: String?, access: Int) {
                    if (name == source.className) super.visitInnerClass(name, outer, inner, access)
                }

                override fun visitNestMember(member: String) = Unit
            },
            ClassReader.SKIP_DEBUG,
        )
        return writer.toByteArray()
    }

    companion object {
        private val OF_CELL = Regex("(.*[./])?Line_\\d+_jupyter(\\$.*)?")
        private val CELL = Regex("(.*[./])?Line_\\d+_jupyter")
        private val SINGLETON = setOf("INSTANCE", "Companion")

        /** Whether [className] is a class that the kernel compiled from a cell. */
        fun isOfCell(className: String): Boolean = OF_CELL.matches(className)

        /** Whether it is the class of the whole cell, whose instance holds the cell's values. */
        fun isCell(className: String): Boolean = CELL.matches(className)
    }
}
