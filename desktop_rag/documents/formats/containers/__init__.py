"""Readers of archives and compressed files: each member is read like a file of its own.

`archives` chooses the unpacker by the first bytes; every unpacker hands its members to `members.Members`.
"""
