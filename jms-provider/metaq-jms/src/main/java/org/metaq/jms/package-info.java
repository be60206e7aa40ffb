/**
 * What an application names itself: the connection factory and the URI that configures it. Imports
 * the packages below it; immutable unless a class says otherwise.
 */
@NullMarked
package org.metaq.jms;

import org.jspecify.annotations.NullMarked;
