/**
 * Load from plain sockets, which takes little from the servers on the same machine, and the bare cost of a signature.
 * Uses only the JDK and the idp's crypto provider.
 */
@NullMarked
package dev.gatehouse.perf.load;

import org.jspecify.annotations.NullMarked;
