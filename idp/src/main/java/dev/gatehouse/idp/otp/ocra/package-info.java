/** The challenge-response algorithm of OATH (RFC 6287): suites and codes. */
@NullMarked
package dev.gatehouse.idp.otp.ocra;

import org.jspecify.annotations.NullMarked;
