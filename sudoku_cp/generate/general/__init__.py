"""The generator for boards of any shape under any rules of the whole board, one at a time, by SAT."""
