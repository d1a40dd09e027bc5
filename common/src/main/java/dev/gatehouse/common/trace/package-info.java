/** A request's place in a distributed trace (W3C Trace Context), and the spans of its parts (OpenTelemetry). */
@NullMarked
package dev.gatehouse.common.trace;

import org.jspecify.annotations.NullMarked;
