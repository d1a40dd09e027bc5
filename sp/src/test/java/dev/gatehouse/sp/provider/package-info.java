/** Tests of reading OpenID providers' data. */
@NullMarked
package dev.gatehouse.sp.provider;

import org.jspecify.annotations.NullMarked;
