"""How a computer gets at a team library and at its files.

- `team_address`: the server, the user, the secret; `team_joining`: checks an address and adds its library to the list.
- `team_mounts`: where the folders of the file server are here; `file_store`: files by their hash in an S3 bucket.
"""
