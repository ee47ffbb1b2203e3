"""What the commands share with shells and terminals: styled text (`terminal`), the `pager`, and `completions`."""
