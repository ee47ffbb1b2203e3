"""A chat model behind one Protocol."""
