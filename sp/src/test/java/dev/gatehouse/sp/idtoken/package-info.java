/** Tests of the rules for ID tokens and logout tokens. */
@NullMarked
package dev.gatehouse.sp.idtoken;

import org.jspecify.annotations.NullMarked;
