/** Tests of files of seeds. */
@NullMarked
package dev.gatehouse.idp.otp.seed;

import org.jspecify.annotations.NullMarked;
