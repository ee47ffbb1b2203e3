"""What was found and read, and the citations that point back to it."""
