package org.metaq.store.journal;

/** A checkpoint under way: cut on the writer thread, finished on another. */
public interface Checkpoint {
    /** Last position that it holds; replay starts behind it. */
    Position at();

    /**
     * Forces the views' files to the lengths of the cut, writes state and manifest, and makes them
     * durable. Any one thread; slow.
     *
     * @throws org.metaq.store.StoreException if the disk fails; the checkpoint before stays valid
     */
    void finish();
}
