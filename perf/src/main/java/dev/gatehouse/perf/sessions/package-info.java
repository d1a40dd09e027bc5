/**
 * What a million live sessions at the identity provider take, in each form of the store.
 */
@NullMarked
package dev.gatehouse.perf.sessions;

import org.jspecify.annotations.NullMarked;
