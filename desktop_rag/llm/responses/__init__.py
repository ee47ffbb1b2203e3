"""The Responses API, the second dialect of endpoints: requests, and its stream as events of chat completions."""
