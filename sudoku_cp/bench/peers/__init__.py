"""The peers: other people's solvers and generators, as contestants; nothing here imports a peer."""
