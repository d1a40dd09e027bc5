/** Tests of the access log: what is written, and what is never written. */
@NullMarked
package dev.gatehouse.gateway.accesslog;

import org.jspecify.annotations.NullMarked;
