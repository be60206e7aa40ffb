/**
 * The wire: commands, replies, error registry, message layout, and their codecs. Works on {@code
 * ByteBuffer}s, knows neither sockets nor the JMS API; {@code docs/protocol.md} is the normative
 * text. Everything here is immutable or stateless unless it says otherwise.
 */
@NullMarked
package org.metaq.protocol;

import org.jspecify.annotations.NullMarked;
