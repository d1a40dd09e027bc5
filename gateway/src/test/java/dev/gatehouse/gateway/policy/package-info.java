/** Tests of that package. */
@NullMarked
package dev.gatehouse.gateway.policy;

import org.jspecify.annotations.NullMarked;
