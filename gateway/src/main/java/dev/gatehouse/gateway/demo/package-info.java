/**
 * The parts that {@code ./gatehouse demo} starts beside the node: a directory of two people (UnboundID, in memory), a
 * sample app that shows the headers it gets from the gateway, generated certificates, and example configuration; and a
 * browser and a client of tokens, by which the AOT cache is trained. May use the UnboundID SDK and, for certificates,
 * Bouncy Castle. Listens on loopback only.
 */
@NullMarked
package dev.gatehouse.gateway.demo;

import org.jspecify.annotations.NullMarked;
