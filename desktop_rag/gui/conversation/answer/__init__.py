"""The answer: Markdown, its painting, and the cards around it."""
