/** Figures of the agent for a collector on the same host, as Prometheus text: by a Unix socket or on loopback, and nowhere else. */
@NullMarked
package dev.gatehouse.idp.agent.metrics;

import org.jspecify.annotations.NullMarked;
