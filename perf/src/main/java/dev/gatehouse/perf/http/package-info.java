/**
 * HTTP clients over plain sockets, which take little from the servers on the same machine: one connection to one server, and a
 * browser that follows redirects and submits forms.
 */
@NullMarked
package dev.gatehouse.perf.http;

import org.jspecify.annotations.NullMarked;
