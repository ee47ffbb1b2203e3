"""How many tokens a request has: counted by the server where it can, else estimated."""
