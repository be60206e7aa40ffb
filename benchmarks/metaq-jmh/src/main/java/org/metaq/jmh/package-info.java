/**
 * Benchmarks of single parts of the product, for JMH. Those of package-private parts are in the
 * package of the part. They tell what a part costs, and that a change made it cheaper or dearer;
 * what users get, {@code metaq bench} tells.
 */
@NullMarked
package org.metaq.jmh;

import org.jspecify.annotations.NullMarked;
