/**
 * What {@code ./gatehouse demo} starts beside the node: a directory of two people (UnboundID, in memory), a sample app that
 * shows what the gateway tells it, made certificates, and a configuration to read. May use the UnboundID SDK and, for
 * certificates, Bouncy Castle. Listens on loopback only.
 */
@NullMarked
package dev.gatehouse.gateway.demo;

import org.jspecify.annotations.NullMarked;
