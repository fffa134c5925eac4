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
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.name

/** Which classes a trial JVM can load: those of the JDK and of [classpath]. */
internal class ForkSight(classpath: List<Path>) : AutoCloseable {
    private val loader = loaderOf(classpath)
    private val core = loaderOf(classpath.filter(::isCore))

    fun sees(internalName: String): Boolean = loader.getResource("$internalName.class") != null

    /** The same for a fork that has core and its dependencies, but no client's library. */
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

        /** Whether [jar] is core or one of its dependencies. */
        fun isCore(jar: Path): Boolean = CORE.any { jar.name.startsWith(it) }
    }
}

/** The text of cells by their compiled classes. The integration supplies it, because a class does not have its source. */
internal object CellSources {
    private val texts = ConcurrentHashMap<String, String>()

    /** The text of the running cell, whose class is not known yet; null outside a notebook. */
    @Volatile var current: () -> String? = { null }

    /** Remembers that [text] was compiled to the class of [cell], the kernel's instance. */
    fun remember(cell: Any, text: String) {
        texts[cell.javaClass.name] = text
    }

    /** The text of the cell that [className] was compiled from, or null if it is unknown. */
    fun of(className: String): String? = texts[className] ?: current()
}

/** Classes compiled from cells, found by following their references to each other. */
internal class CellClasses(private val fork: ForkSight) {
    val bytes = LinkedHashMap<String, ByteArray>()
    val singletons = LinkedHashSet<String>()

    /** The libraries that cells loaded and that these classes refer to. */
    val libraries = CellLibraries(fork)

    /** Adds [type] if it comes from a cell, and every cell class that it refers to. */
    fun follow(type: Class<*>) {
        val name = Type.getInternalName(type)
        if (!isOfCell(type.name) || name in bytes) return
        val loader = type.classLoader
        val compiled = loader.getResourceAsStream("$name.class")?.use { it.readBytes() } ?: return
        val own = if (isCell(type.name)) staticsOnly(compiled, loader) else compiled
        bytes[name] = own
        if (isSingleton(type)) singletons += type.simpleName
        for (reference in classReferences(withoutMemberList(own, name))) {
            val referred = reference.replace('/', '.')
            if (isOfCell(referred)) {
                runCatching { Class.forName(referred, false, loader) }.onSuccess(::follow)
            } else {
                libraries.takeIn(reference, loader)
            }
        }
    }

    /**
     * The class of a whole cell, without its instance's members, because the instance is never serialized. To find a lambda that is a
     * static method of it, Java needs every type that a member names, even a DataFrame of the same cell. So fields, constructors and
     * methods with types that the fork lacks are left out.
     */
    private fun staticsOnly(compiled: ByteArray, loader: ClassLoader): ByteArray = rewritten(compiled) { writer ->
        object : ClassVisitor(Opcodes.ASM9, writer) {
            override fun visit(version: Int, access: Int, name: String, generic: String?, parent: String?, interfaces: Array<String>?) =
                super.visit(version, access, name, null, "java/lang/Object", null)

            override fun visitField(access: Int, name: String, type: String, generic: String?, value: Any?): FieldVisitor? = null

            override fun visitMethod(access: Int, name: String, type: String, generic: String?, thrown: Array<String>?): MethodVisitor? {
                val types = Type.getArgumentTypes(type) + Type.getReturnType(type)
                val carried = access and Opcodes.ACC_STATIC != 0 && name != "<clinit>" && types.all { loadable(it, loader) }
                return if (carried) super.visitMethod(access, name, type, null, thrown) else null
            }
        }
    }

    private fun loadable(type: Type, loader: ClassLoader): Boolean = when (type.sort) {
        Type.ARRAY -> loadable(type.elementType, loader)
        Type.OBJECT -> isOfCell(type.className) || libraries.takeIn(type.internalName, loader) || fork.sees(type.internalName)
        else -> true
    }

    private fun isSingleton(type: Class<*>) = !Serializable::class.java.isAssignableFrom(type) &&
        runCatching { type.declaredFields.any { it.name in SINGLETON } }.getOrDefault(false)

    /** A class lists all classes that it declares, used or not. With that list every object of the same cell would be packed. */
    private fun withoutMemberList(code: ByteArray, own: String): ByteArray = rewritten(code) { writer ->
        object : ClassVisitor(Opcodes.ASM9, writer) {
            override fun visitInnerClass(name: String, outer: String?, inner: String?, access: Int) {
                if (name == own) super.visitInnerClass(name, outer, inner, access)
            }

            override fun visitNestMember(member: String) = Unit
        }
    }

    private fun rewritten(code: ByteArray, visitor: (ClassWriter) -> ClassVisitor): ByteArray =
        ClassWriter(0).also { ClassReader(code).accept(visitor(it), ClassReader.SKIP_DEBUG) }.toByteArray()

    companion object {
        private val OF_CELL = Regex("(.*[./])?Line_\\d+_jupyter(\\$.*)?")
        private val CELL = Regex("(.*[./])?Line_\\d+_jupyter")
        private val SINGLETON = setOf("INSTANCE", "Companion")

        /** Whether the kernel compiled the class [className] from a cell. */
        fun isOfCell(className: String): Boolean = OF_CELL.matches(className)

        /** Whether it is the class of a whole cell; the instance of that class holds the cell's values. */
        fun isCell(className: String): Boolean = CELL.matches(className)
    }
}
