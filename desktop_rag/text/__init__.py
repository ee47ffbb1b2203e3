"""Text as such, below documents: languages, sentences, tokens, display."""
