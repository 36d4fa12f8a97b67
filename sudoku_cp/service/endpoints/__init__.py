"""The endpoints, a module for each group of addresses; each makes a router for one service."""
