package clientlab.notebook.fork

/** The command of a JVM with the tests' classpath that runs [main], a function of a file of the tests. */
internal fun ownJvm(main: String, vararg arguments: String): List<String> =
    listOf(TrialJvm.java.toString(), "-Xmx64m", "-Dlab.root=${System.getProperty("lab.root").orEmpty()}", "-cp", OWN_CLASSPATH, main) +
        arguments

/** Surefire starts its JVM with a jar that only points to the classpath. */
private val OWN_CLASSPATH: String = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
