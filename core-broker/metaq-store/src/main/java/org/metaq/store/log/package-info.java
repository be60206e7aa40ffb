/**
 * Views that apply writes and readers read: partition logs with their index, memory logs, spill
 * files. Written by the writer thread alone, without force; forced at checkpoints. Imports {@code
 * store.io}.
 */
@NullMarked
package org.metaq.store.log;

import org.jspecify.annotations.NullMarked;
