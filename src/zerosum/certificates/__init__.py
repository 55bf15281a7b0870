"""Certificates: files that prove the value of a position, and the checker, which uses only the plain rules.

Nothing here imports the search or the compiler, so checking a proof does not require trust in the code that found it.
docs/certificates.md describes the format and explains why a file that passes is a proof.
"""
