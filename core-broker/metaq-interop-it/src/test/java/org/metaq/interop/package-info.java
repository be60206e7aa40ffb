/**
 * MetaQ's own client 1.4.6.2, unmodified, against our broker; and our broker beside MetaQ's own
 * server, where that can be asked the same.
 */
package org.metaq.interop;
