/**
 * The authorization server (RFC 6749, RFC 9700): the code that its endpoints share. An
 * {@link dev.gatehouse.idp.oauth.Authorization} is a person's grant to a client; tokens refer to it, and none of them
 * is valid without it.
 *
 * <p>May use {@code idp.endpoint} and {@code idp.authn}, and of the packages below it only {@code client}.
 */
@NullMarked
package dev.gatehouse.idp.oauth;

import org.jspecify.annotations.NullMarked;
