/** Refusals of requests and their pages. */
@NullMarked
package dev.gatehouse.gateway.refusal;

import org.jspecify.annotations.NullMarked;
