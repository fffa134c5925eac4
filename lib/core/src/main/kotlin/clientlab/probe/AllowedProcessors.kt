package clientlab.probe

/** The processors that a process or a thread may run on, by their numbers; Linux alone tells them. */
public object AllowedProcessors {
    /** Those of [process], a number or `self`, or of the calling thread by `thread-self`; empty where the system does not tell. */
    public fun of(process: String = "self", files: SystemFiles = SystemFiles.here): List<Int> =
        parse(files.lines("proc/$process/status").firstOrNull { it.startsWith(LINE) }?.removePrefix(LINE).orEmpty())

    /** The numbers of a [list] as in `0,2-3`, in ascending order. */
    public fun parse(list: String): List<Int> =
        list.split(',').map(String::trim).filter(String::isNotEmpty).flatMap { part ->
            val (first, last) = part.split('-').map(String::toInt).let { it.first() to it.last() }
            first..last
        }

    private const val LINE = "Cpus_allowed_list:"
}
