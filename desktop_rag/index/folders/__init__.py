"""The person's folders: rules, scan and watch."""
