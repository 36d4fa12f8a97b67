"""Certificates: proofs that a puzzle has one solution, none, or no given too many, and a checker that trusts nobody."""
