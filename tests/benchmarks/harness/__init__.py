"""Parts of the benchmarks: what is run (models, backends), how (process, worker, rounds), and what is said of it."""
