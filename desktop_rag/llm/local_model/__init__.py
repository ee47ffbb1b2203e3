"""A language model on this computer without a server of the user's: a GGUF file and our own llama.cpp child process.

Begin with `local_server.running`: it reads the file's header (`model_files`), refuses what does not fit the free
memory, starts the child (`server_child`, hidden verb `_model`) and ends it. The child serves OpenAI's API on loopback,
on a port the system chooses, with a random key that is only ever in the memory of the two processes.
"""
