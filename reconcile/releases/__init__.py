"""The releases of keras-bert: the lock of what each consists of, and what changed from one to the next."""
