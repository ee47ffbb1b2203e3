"""The searcher process and its client; the search engine both use."""
