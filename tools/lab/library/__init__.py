"""The programs in the jars: those of the library, and the delay server."""
