"""The text view: numbered lines, their colours and highlights."""
