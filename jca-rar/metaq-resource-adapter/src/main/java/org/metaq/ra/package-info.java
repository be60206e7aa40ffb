/**
 * The resource adapter (Jakarta Connectors 2.1): what an application server starts, asks for
 * endpoints and for recovery.
 */
@NullMarked
package org.metaq.ra;

import org.jspecify.annotations.NullMarked;
