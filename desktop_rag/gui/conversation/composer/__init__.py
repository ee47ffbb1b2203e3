"""The field to ask in and what stands beside it: scope, filters, toolkit, token meter."""
