"""A keyword index of sorted, memory-mapped arrays behind Whoosh's interfaces."""
