"""How well the program finds and answers, measured on a collection: `retrieval` and `qa`."""
