package org.metaq.jms.xa;

import javax.transaction.xa.XAException;
import org.metaq.client.ClientException;

/** The one place where what went wrong below becomes an XAException. */
final class XaErrors {
    private XaErrors() {}

    /**
     * The XAException for a failure of the client. A lost connection is XAER_RMFAIL: the
     * transaction manager will ask again; so is an outcome that is not known.
     */
    static XAException of(String doing, ClientException failure) {
        int code =
                failure.isConnectionLost() || failure.isOutcomeUnknown()
                        ? XAException.XAER_RMFAIL
                        : failure.code().xaCode();
        return of(code, doing + ": " + failure.getMessage(), failure);
    }

    /**
     * The XAException for a failed outcome or scan. To a transaction manager XAER_RMERR of a commit
     * says that the branch is rolled back; what failed for another reason than the branch's state
     * left it as it was, and is worth asking for again.
     */
    static XAException ofOutcome(String doing, ClientException failure) {
        XAException exception = of(doing, failure);
        if (exception.errorCode == XAException.XAER_RMERR) {
            exception.errorCode = XAException.XAER_RMFAIL;
        }
        return exception;
    }

    /** An XAException with a code and the reason. */
    static XAException of(int code, String reason) {
        XAException exception = new XAException(reason);
        exception.errorCode = code;
        return exception;
    }

    /** An XAException with a code, the reason and its cause. */
    static XAException of(int code, String reason, Throwable cause) {
        XAException exception = of(code, reason);
        exception.initCause(cause);
        return exception;
    }

    /** True if the code says that the branch was rolled back. */
    static boolean isRollback(int code) {
        return code >= XAException.XA_RBBASE && code <= XAException.XA_RBEND;
    }
}
