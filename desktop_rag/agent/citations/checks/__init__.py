"""What other packages still import from here."""
