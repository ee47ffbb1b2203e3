"""What endpoints, proxies and networks do wrong, as tables of bytes: `fault` has the columns, one module a place."""
