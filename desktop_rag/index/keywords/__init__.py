"""The keyword index: analysis, schema, and the engines that hold it."""
