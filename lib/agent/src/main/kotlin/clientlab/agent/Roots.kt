package clientlab.agent

import java.lang.reflect.Field
import java.lang.reflect.Method
import java.lang.reflect.Modifier

/** The static fields of classes that are not the JDK's. A class that is not initialised is left alone, because reading would initialise it. */
internal class Roots(private val loaded: List<Class<*>>) {
    fun forEach(begin: (String, Any) -> Unit) {
        loaded.filter { !it.isArray && !it.isPrimitive && !ofJdk(it.name) && !it.name.startsWith(OWN) && initialised(it) }.forEach { type ->
            fieldsOf(type).filter { Modifier.isStatic(it.modifiers) && !it.type.isPrimitive }.forEach { field ->
                valueOf(field)?.let { begin("${type.name}.${field.name}", it) }
            }
        }
    }

    private fun valueOf(field: Field): Any? = runCatching { if (field.trySetAccessible()) field.get(null) else null }.getOrNull()

    private companion object {
        const val OWN = "clientlab.agent."
        val unsafe: Class<*> = Class.forName("jdk.internal.misc.Unsafe")
        val one: Any = unsafe.getMethod("getUnsafe").apply { isAccessible = true }.invoke(null)
        val asked: Method = unsafe.getMethod("shouldBeInitialized", Class::class.java).apply { isAccessible = true }

        fun initialised(type: Class<*>): Boolean = !(asked.invoke(one, type) as Boolean)
    }
}

internal fun ofJdk(name: String): Boolean = JDK.any(name::startsWith)

/** Its own fields; none where a class of theirs is missing. */
internal fun fieldsOf(type: Class<*>): List<Field> = runCatching { type.declaredFields.asList() }.getOrDefault(emptyList())

private val JDK = listOf("java.", "javax.", "jdk.", "sun.", "com.sun.")
