"""What leaves this machine: the site, and the bundle for a room without a network."""
