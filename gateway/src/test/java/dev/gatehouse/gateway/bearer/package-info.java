/** Tests of what access tokens are held against. */
@NullMarked
package dev.gatehouse.gateway.bearer;

import org.jspecify.annotations.NullMarked;
