/**
 * Proofs in JWTs that clients send: DPoP (RFC 9449), client assertions (RFC 7523) and request objects (RFC 9101), and
 * fetching of resources that a client names (its keys, its request objects).
 *
 * <p>May use {@code idp.oauth} and {@code idp.oauth.client}.
 */
@NullMarked
package dev.gatehouse.idp.oauth.proof;

import org.jspecify.annotations.NullMarked;
