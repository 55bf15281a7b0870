"""Work divided into units that can run anywhere: in threads, in processes, or on the nodes of a cluster."""
