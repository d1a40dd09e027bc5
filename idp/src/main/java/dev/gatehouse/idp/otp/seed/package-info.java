/** Files of seeds: PSKC (RFC 6030) and CSV, and their import. */
@NullMarked
package dev.gatehouse.idp.otp.seed;

import org.jspecify.annotations.NullMarked;
