package clientlab.notebook.fork

import org.objectweb.asm.ClassReader

/** The classes to which the bytes of a class refer. */
internal object ClassReferences {
    private const val CLASS = 7

    /** Internal names of the classes in the constants of [code]; for an array, its element type. */
    fun of(code: ByteArray): Set<String> {
        val reader = ClassReader(code)
        val buffer = CharArray(reader.maxStringLength)
        val names = LinkedHashSet<String>()
        for (item in 1 until reader.itemCount) {
            val at = reader.getItem(item)
            if (at > 0 && reader.readByte(at - 1) == CLASS) names += plain(reader.readUTF8(at, buffer).orEmpty())
        }
        return names
    }

    private fun plain(name: String) = name.trimStart('[').let { if (it.endsWith(";")) it.drop(1).dropLast(1) else it }
}
