"""Sources: anything on disk or in memory becomes an `Inventory`. The only room that touches TensorFlow or h5py."""
