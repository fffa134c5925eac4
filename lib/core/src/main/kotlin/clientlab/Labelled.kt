package clientlab

import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder

/** A level of a factor; its [label] is its spelling in treatments, in JSON and in legends. */
public interface Labelled {
    public val label: String
}

/** Writes and reads each of [levels] by its label. */
internal abstract class ByLabel<E : Labelled>(factor: String, private val levels: List<E>) : KSerializer<E> {
    override val descriptor = PrimitiveSerialDescriptor("clientlab.$factor", PrimitiveKind.STRING)

    override fun serialize(encoder: Encoder, value: E) = encoder.encodeString(value.label)

    override fun deserialize(decoder: Decoder): E {
        val label = decoder.decodeString()
        return levels.find { it.label == label } ?: throw SerializationException("'$label' is none of ${levels.joinToString { it.label }}.")
    }
}
