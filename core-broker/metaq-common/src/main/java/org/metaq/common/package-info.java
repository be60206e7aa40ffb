/**
 * Small types that every module uses: names, ids, ranges, clocks, checksums, invariants. Immutable
 * or stateless unless a class says otherwise; imports nothing but the JDK.
 */
@NullMarked
package org.metaq.common;

import org.jspecify.annotations.NullMarked;
