"""The peers: other people's solvers, a module each, which imports its library; nothing here imports a peer."""
