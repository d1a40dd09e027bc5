/** The memory of a million live sessions at the identity provider and at the gateway, in each form of the store. */
@NullMarked
package dev.gatehouse.perf.sessions;

import org.jspecify.annotations.NullMarked;
