/** Tests of what ID tokens and logout tokens are held against. */
@NullMarked
package dev.gatehouse.sp.idtoken;

import org.jspecify.annotations.NullMarked;
