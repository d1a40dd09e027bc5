/** Tests of what is read of OpenID providers. */
@NullMarked
package dev.gatehouse.sp.provider;

import org.jspecify.annotations.NullMarked;
