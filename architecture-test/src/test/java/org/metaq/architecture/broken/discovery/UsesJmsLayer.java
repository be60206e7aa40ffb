package org.metaq.architecture.broken.discovery;

/** Points up. */
public class UsesJmsLayer {
    org.metaq.architecture.broken.jms.UsesStore up;
}
