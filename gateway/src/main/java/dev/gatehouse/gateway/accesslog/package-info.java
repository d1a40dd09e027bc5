/**
 * The access log: one line per request, encoded on the event loop and written by another thread. No request waits for
 * the disk: lines that it cannot take are dropped and counted.
 */
@NullMarked
package dev.gatehouse.gateway.accesslog;

import org.jspecify.annotations.NullMarked;
