/** Tests of one-time passwords. */
@NullMarked
package dev.gatehouse.idp.totp;

import org.jspecify.annotations.NullMarked;
