"""Notebooks: what is in them, running them, and the workshop made of them."""
