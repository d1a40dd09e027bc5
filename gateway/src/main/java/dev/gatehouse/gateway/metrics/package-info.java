/**
 * The listener of health and metrics: a small HTTP server of its own, with its own thread, so that monitoring answers while the
 * other listeners are busy.
 */
@NullMarked
package dev.gatehouse.gateway.metrics;

import org.jspecify.annotations.NullMarked;
