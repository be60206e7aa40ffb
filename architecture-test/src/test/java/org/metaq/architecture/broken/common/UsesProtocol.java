package org.metaq.architecture.broken.common;

/** Points up. */
public class UsesProtocol {
    org.metaq.architecture.broken.protocol.UsesStore up;
}
