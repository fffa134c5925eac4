package clientlab.notebook.run

import java.nio.channels.FileChannel
import java.nio.file.AccessDeniedException
import java.nio.file.FileAlreadyExistsException
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.setPosixFilePermissions

/** A file in a folder that several users share, which each of them can lock and write. */
internal object SharedFile {
    /**
     * Opens [file] for reading and writing, and makes it for all users where there is none. An existing file is opened without `O_CREAT`,
     * which Linux refuses in a shared folder for the file of another user (`fs.protected_regular`). Links are not followed. Throws
     * [AccessDeniedException] where the file of another user cannot be written.
     */
    fun open(file: Path): FileChannel {
        while (true) {
            try {
                return existing(file)
            } catch (_: NoSuchFileException) {
                try {
                    return FileChannel.open(file, CREATE_NEW, READ, WRITE).also { allowAll(file) }
                } catch (_: FileAlreadyExistsException) {
                    // Another process made it in between.
                }
            }
        }
    }

    /** Opens [file] for reading and writing where it exists; throws [NoSuchFileException] where it does not. */
    fun existing(file: Path): FileChannel = FileChannel.open(file, READ, WRITE, NOFOLLOW_LINKS)

    /** Whether a process holds [byte] of [file], which this user may read and not write. */
    fun isLocked(file: Path, byte: Long): Boolean = FileChannel.open(file, READ, NOFOLLOW_LINKS).use { it.tryLock(byte, 1, true) == null }

    /** After the fact, because the process's umask takes permissions away from those that a file is created with. */
    private fun allowAll(file: Path) {
        try {
            file.setPosixFilePermissions(PosixFilePermissions.fromString("rw-rw-rw-"))
        } catch (_: UnsupportedOperationException) {
            // Windows has no such permissions, and its temporary folder belongs to one user.
        }
    }
}
