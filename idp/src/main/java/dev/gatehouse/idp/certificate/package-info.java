/**
 * Login by client certificate (RFC 5280, RFC 8446 section 4.4.2): the ticket that takes the holder from the listener
 * that asks for certificates back to the identity provider. Independent of sessions; uses common and
 * {@code idp.endpoint}.
 */
@NullMarked
package dev.gatehouse.idp.certificate;

import org.jspecify.annotations.NullMarked;
