"""What fails at an endpoint (`endpoint_errors`) or on the way to it (`connection_errors`), and a sentence on it."""
