/**
 * Decisions whether a request is permitted, and why not. A decision is a value that contains the deciding rule; without
 * a rule the request is denied. Has no network access.
 */
@NullMarked
package dev.gatehouse.gateway.policy;

import org.jspecify.annotations.NullMarked;
