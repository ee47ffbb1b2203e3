"""The agent: tools, toolkits, the loop, citations."""
