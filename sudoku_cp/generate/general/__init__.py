"""Boards of any shape under any rules, one at a time, by SAT."""
