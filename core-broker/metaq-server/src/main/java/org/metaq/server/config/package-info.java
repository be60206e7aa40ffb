/**
 * What a broker is told: the keys of {@code server.ini}, the file as it was read, and the checked
 * settings that come of it. No thread of its own; what it hands out is immutable, what reads and
 * builds it is confined to the thread that does. May import {@link org.metaq.broker} for the
 * settings it makes, {@link org.metaq.common}, Commons Configuration and cron-utils, nothing else
 * of ours.
 */
@NullMarked
package org.metaq.server.config;

import org.jspecify.annotations.NullMarked;
