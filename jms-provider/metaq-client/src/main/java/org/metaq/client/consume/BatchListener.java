package org.metaq.client.consume;

/** As {@link MessageListener}, for all the messages that one pull brought. */
@FunctionalInterface
public interface BatchListener {
    /**
     * Takes messages of one partition; when it returns, all of them are done with.
     *
     * @throws Exception if they cannot be taken now: those that were not {@linkplain
     *     Batch#acknowledge acknowledged} come again after a while
     */
    void onBatch(Batch batch) throws Exception;
}
