"""The one way to run a kernel: memory, threads, reports, stops and errors."""
