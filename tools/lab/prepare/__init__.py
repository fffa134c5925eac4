"""What must be there before a notebook runs: Java, Maven, Python packages, the kernel, the jars."""
