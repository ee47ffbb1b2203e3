"""Tables over documents whose values are known: `known_documents` writes them, `bench` counts right and false cells."""
