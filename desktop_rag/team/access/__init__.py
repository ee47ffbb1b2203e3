"""How a computer gets at a team library and at its files.

- `team_joining`: the server, the user, the secret; checks an address and adds its library to the list.
- `file_store`: files by their hash in an S3 bucket, and where the folders of the file server are here.
"""
