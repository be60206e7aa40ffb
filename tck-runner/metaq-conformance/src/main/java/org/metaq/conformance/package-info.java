/**
 * A suite of tests of Jakarta Messaging 3.1 that knows no provider: what it asks of one ({@link
 * org.metaq.conformance.ProviderUnderTest}), the clauses of the specification, and the page that
 * tells for each clause which tests prove it and how they ended. The tests themselves are in {@code
 * org.metaq.conformance.suite}, in the jar of the module's tests.
 */
@NullMarked
package org.metaq.conformance;

import org.jspecify.annotations.NullMarked;
