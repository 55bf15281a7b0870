"""Kernels on a graphics card: LLVM makes NVIDIA's PTX of them, and the card's own driver does the rest."""
