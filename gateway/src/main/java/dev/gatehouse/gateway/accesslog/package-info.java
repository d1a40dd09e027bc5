/**
 * The access log: one line per request, encoded where the request was served and written elsewhere. Nobody waits for the
 * disk: what it cannot take is dropped and counted.
 */
@NullMarked
package dev.gatehouse.gateway.accesslog;

import org.jspecify.annotations.NullMarked;
