"""Text as such, below documents: normalising, locating quotations, languages, sentences, tokens, display."""
