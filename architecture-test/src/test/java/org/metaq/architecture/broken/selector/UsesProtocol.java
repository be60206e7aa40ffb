package org.metaq.architecture.broken.selector;

/** Uses what it must do without. */
public class UsesProtocol {
    org.metaq.architecture.broken.protocol.UsesStore other;
}
