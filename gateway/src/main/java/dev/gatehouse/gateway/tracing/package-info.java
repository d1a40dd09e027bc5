/** The way of spans to an OpenTelemetry collector: a bounded queue and one thread, so that no request waits for a collector. */
@NullMarked
package dev.gatehouse.gateway.tracing;

import org.jspecify.annotations.NullMarked;
