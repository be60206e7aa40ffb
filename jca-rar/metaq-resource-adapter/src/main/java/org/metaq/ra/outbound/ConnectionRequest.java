package org.metaq.ra.outbound;

import jakarta.resource.spi.ConnectionRequestInfo;

/** Whom an application wants to connect as. */
record ConnectionRequest(String user, String password) implements ConnectionRequestInfo {
    /** Without the password. */
    @Override
    public String toString() {
        return "ConnectionRequest[" + user + "]";
    }
}
