/**
 * Time-based one-time passwords as a second factor (RFC 6238 over RFC 4226): secrets, codes, their QR code, recovery
 * codes, and the check of a typed code. Independent of logins and sessions; uses common and {@code idp.endpoint}. The
 * only package that uses java-otp and the QR code generator.
 */
@NullMarked
package dev.gatehouse.idp.totp;

import org.jspecify.annotations.NullMarked;
