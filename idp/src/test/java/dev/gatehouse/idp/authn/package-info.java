/** Tests of what is visible in its package only; {@code dev.gatehouse.idp} tests the login contracts as browsers meet them. */
@NullMarked
package dev.gatehouse.idp.authn;

import org.jspecify.annotations.NullMarked;
