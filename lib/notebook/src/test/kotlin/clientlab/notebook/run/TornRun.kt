package clientlab.notebook.run

/** Dies in the midst of its first line, as a fork that is killed while it writes. */
internal object TornRun {
    @JvmStatic
    fun main(arguments: Array<String>) {
        print("{\"experiment\":\"made\",\"rou")
        System.out.flush()
        Runtime.getRuntime().halt(arguments.first().toInt())
    }
}
