"""Proofs by groups of any rule: how many groups a candidate's refutation takes, why a value is wrong, how hard a puzzle is."""
