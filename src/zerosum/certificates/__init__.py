"""Certificates: proofs of what a position is worth, as files, and their check with plain rules alone.

Nothing here imports the search or the compiler, so that whoever checks a proof need not trust what found it.
docs/certificates.md describes the format and says why a file that passes is a proof.
"""
