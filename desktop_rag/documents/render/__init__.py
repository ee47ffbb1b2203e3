"""Pages as pictures: the painter child and its client."""
