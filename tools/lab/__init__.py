"""What `lab` is made of: one file for each thing it does. Python standard library only."""
