package clientlab.junit

import org.junit.jupiter.api.extension.BeforeEachCallback
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.api.extension.ExtensionContext
import org.junit.jupiter.api.extension.ParameterContext
import org.junit.jupiter.api.extension.ParameterResolver

/**
 * Gives the tests of a class a [Lab]: each method of it may have one as its parameter.
 *
 * ```kotlin
 * @ClientLab
 * class PricesTest {
 *     private val prices = TestedClient.blocking({ url -> Prices("$url") }) { it.of(7) }
 *
 *     @Test
 *     fun `two hundred calls at once`(lab: Lab) = lab.assertHolds(prices, inFlight = 200)
 * }
 * ```
 */
@Target(AnnotationTarget.CLASS, AnnotationTarget.FUNCTION)
@Retention(AnnotationRetention.RUNTIME)
@MustBeDocumented
@ExtendWith(LabExtension::class)
public annotation class ClientLab

/** Starts the delay server with the first test that asks for it. The server ends with the tests' JVM. */
internal class LabExtension :
    ParameterResolver,
    BeforeEachCallback {
    override fun supportsParameter(parameter: ParameterContext, context: ExtensionContext): Boolean =
        parameter.parameter.type == Lab::class.java

    override fun resolveParameter(parameter: ParameterContext, context: ExtensionContext): Any = lab

    override fun beforeEach(context: ExtensionContext): Unit = lab.answer()

    private companion object {
        val lab: Lab by lazy { Lab(Programs()) }
    }
}
