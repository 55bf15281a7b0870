"""Work cut into units that do not know where they run: threads, processes, or the nodes of a cluster."""
