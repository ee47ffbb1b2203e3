"""What the commands share with shells and terminals: the `pager` and the completions."""
