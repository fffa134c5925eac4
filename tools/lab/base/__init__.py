"""What every room of lab stands on: places, processes, terminal, stamps, locks, the machine, results of tests."""
