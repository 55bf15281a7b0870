"""Kernels on a graphics card: LLVM translates them to NVIDIA's PTX, and the card's driver does the rest."""
