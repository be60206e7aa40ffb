/** What stands in an application's hands for a provider's object that a pool or container owns. */
@NullMarked
package org.metaq.jms.handle;

import org.jspecify.annotations.NullMarked;
