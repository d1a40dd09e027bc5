/**
 * Decisions: who may come, and why not. A decision is a value that carries the rule which made it; the absence of a
 * rule denies. Knows no network.
 */
@NullMarked
package dev.gatehouse.gateway.policy;

import org.jspecify.annotations.NullMarked;
