package org.metaq.frameworks;

import java.io.Serializable;

/** What programs send as an object. */
record Order(int number, String customer) implements Serializable {
    private static final long serialVersionUID = 1;
}
