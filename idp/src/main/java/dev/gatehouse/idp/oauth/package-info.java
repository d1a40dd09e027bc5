/**
 * The authorization server (RFC 6749, RFC 9700): what its endpoints share. An {@link dev.gatehouse.idp.oauth.Authorization} is
 * what a person let a client do; tokens point at it, and without it none of them counts.
 *
 * <p>May use {@code idp.endpoint} and {@code idp.authn}, and of the others below it {@code client} alone.
 */
@NullMarked
package dev.gatehouse.idp.oauth;

import org.jspecify.annotations.NullMarked;
