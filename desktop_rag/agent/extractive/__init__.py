"""The built-in model: answers in quoted sentences, without a language model."""
