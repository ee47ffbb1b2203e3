"""Which texts name which documents: the links of a library, gathered while it is indexed."""
