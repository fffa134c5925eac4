"""`lab test`, and the tests that are no Kotlin and no unit tests of lab."""
