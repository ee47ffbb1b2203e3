"""How our processes are started, talk to each other and end: one mechanism for all of them."""
