package clientlab.agent

import java.lang.ref.Reference
import java.lang.reflect.Field
import java.lang.reflect.Modifier
import java.util.ArrayDeque
import java.util.Collections
import java.util.IdentityHashMap
import java.util.concurrent.atomic.AtomicInteger

/** A number in a field whose name is that of a limit, and how it is reached. */
internal class NumberSeen(private val path: String, private val value: Long) {
    fun asMap(): Map<String, Any?> = mapOf("path" to path, "value" to value)
}

/**
 * Walks along references from the roots that it is given, nearest objects first, until it has seen everything, [most] objects, or for [budgetMs].
 * Keeps the limits of known kinds, and every number whose field is named like a limit. It only reads, beside the service's own threads, so what
 * it sees of a busy object may be a moment old.
 */
internal class HeapWalk(private val most: Int = 400_000, private val budgetMs: Long = 3_000) {
    private class Node(val value: Any, val from: Node?, val edge: String)

    /** A setting of one object, whatever the object calls equal. */
    private class HeldBy(val value: Any, private val setting: String) {
        override fun equals(other: Any?): Boolean = other is HeldBy && other.value === value && other.setting == setting

        override fun hashCode(): Int = System.identityHashCode(value)
    }

    private class Shape(val links: List<Field>, val numbers: List<Field>)

    private val seen: MutableSet<Any> = Collections.newSetFromMap(IdentityHashMap())
    private val waiting = ArrayDeque<Node>()
    private val shapes = HashMap<Class<*>, Shape>()

    private val held = LinkedHashMap<HeldBy, LimitSeen>()
    val limits: List<LimitSeen> get() = held.values.toList()

    /** Objects of the service's own classes. */
    val own = mutableListOf<Any>()
    val numbers = mutableListOf<NumberSeen>()
    val objects: Int get() = seen.size

    /** Whether every object was seen that can be reached. */
    var whole: Boolean = false
        private set

    fun begin(name: String, value: Any): Unit = add(value, null, name)

    /** The limits of this walk with the objects that hold them, each with the path of [other] where that one met it too. */
    fun limitsAsIn(other: HeapWalk): List<Pair<Any, LimitSeen>> = held.map { (holder, limit) ->
        holder.value to
            (other.held[holder] ?: limit)
    }

    fun walk() {
        val end = System.nanoTime() + budgetMs * NS_PER_MS
        var count = 0
        while (waiting.isNotEmpty() && seen.size < most) {
            if (++count % CHECK == 0 && System.nanoTime() > end) return
            look(waiting.removeFirst())
        }
        whole = waiting.isEmpty()
    }

    private fun add(value: Any?, from: Node?, edge: String) {
        if (value == null || skipped(value) || !seen.add(value)) return
        waiting.add(Node(value, from, edge))
    }

    private fun look(node: Node) {
        val value = node.value
        if (value is Array<*>) {
            value.forEach { add(it, node, "") }
            return
        }
        if (OwnClasses.has(value.javaClass)) own += value
        runCatching { Limits.of(value) }.getOrDefault(emptyList()).forEach { held[HeldBy(value, it.setting)] = it.at(pathOf(node)) }
        val shape = shapes.getOrPut(value.javaClass) { shapeOf(value.javaClass) }
        if (numbers.size < MOST_NUMBERS) shape.numbers.forEach { note(it, node) }
        shape.links.forEach { field -> add(runCatching { field.get(value) }.getOrNull(), node, edgeOf(field)) }
    }

    private fun note(field: Field, node: Node) {
        number(field, node.value)?.let { numbers += NumberSeen("${pathOf(node)}.${field.name}", it) }
    }

    private fun number(field: Field, of: Any): Long? = when (val value = runCatching { field.get(of) }.getOrNull()) {
        is Int -> value.toLong()
        is Long -> value
        is AtomicInteger -> value.get().toLong()
        else -> null
    }?.takeIf { it in LEAST..LARGEST }

    private fun shapeOf(type: Class<*>): Shape {
        val fields = generateSequence<Class<*>>(type) { it.superclass }
            .filter { it != Reference::class.java }
            .flatMap(::fieldsOf)
            .filter { !Modifier.isStatic(it.modifiers) && runCatching { it.trySetAccessible() }.getOrDefault(false) }
            .toList()
        val numbers = if (ofJdk(type.name)) emptyList() else fields.filter { it.type in NUMBERS && LIKE_A_LIMIT.containsMatchIn(it.name) }
        return Shape(fields.filter { !it.type.isPrimitive && it.type !in LEAVES }, numbers)
    }

    /** The hops in classes that are not the JDK's, from the root on: what a reader recognises. */
    private fun pathOf(node: Node): String {
        val hops = generateSequence(node) { it.from }.toList().asReversed()
        return (listOf(hops.first().edge) + hops.drop(1).map { it.edge }.filter { it.isNotEmpty() }).joinToString(" > ")
    }

    private fun edgeOf(field: Field): String {
        val type = field.declaringClass
        return if (ofJdk(type.name)) "" else "${type.simpleName}.${field.name}"
    }

    private fun skipped(value: Any): Boolean = when (value) {
        is String, is Number, is Boolean, is Char, is Class<*>, is ClassLoader, is Module, is Enum<*> -> value !is AtomicInteger
        else -> value.javaClass.let { type -> (type.isArray && type.componentType.isPrimitive) || SKIPPED.any(type.name::startsWith) }
    }

    private companion object {
        const val NS_PER_MS = 1_000_000L
        const val CHECK = 1_000
        const val MOST_NUMBERS = 5_000
        const val LEAST = 2L
        const val LARGEST = 100_000L
        val NUMBERS = setOf<Class<*>>(Int::class.java, Long::class.java, Int::class.javaObjectType, AtomicInteger::class.java)
        val LEAVES = setOf<Class<*>>(String::class.java, Class::class.java, ClassLoader::class.java)
        val LIKE_A_LIMIT = Regex("max|limit|permit|parallel|capacity|bound|poolsize|concurren", RegexOption.IGNORE_CASE)
        val SKIPPED = listOf(
            "clientlab.agent.",
            "java.lang.reflect.",
            "java.lang.invoke.",
            "java.lang.module.",
            "java.util.jar.",
            "java.util.zip.",
            "java.util.regex.",
            "java.security.",
            "java.time.",
            "java.text.",
            "java.nio.charset.",
            "sun.security.",
            "sun.util.",
            "jdk.internal.",
        )
    }
}
