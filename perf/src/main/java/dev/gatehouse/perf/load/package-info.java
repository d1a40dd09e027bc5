/**
 * Load from plain sockets, that takes little from the servers it shares the machine with, and the bare cost of a
 * signature. Uses the JDK and the idp's crypto provider only.
 */
@NullMarked
package dev.gatehouse.perf.load;

import org.jspecify.annotations.NullMarked;
