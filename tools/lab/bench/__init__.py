"""`lab bench`: what the delay server and its evidence cost, beside servers that others wrote."""
