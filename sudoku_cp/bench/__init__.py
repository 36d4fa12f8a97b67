"""Speed on this machine: every engine of ours and every installed peer on the same puzzles, side by side.

The question is always the same: find the solution and prove that it is the only one. Every answer is checked, and what is
wrong, too slow or broken is marked instead of hidden. Importing this room imports no peer.
"""
