/**
 * Strangers' signatures and keys: JWTs in compact form (RFC 7515, RFC 7519, RFC 8725) and JWK Sets (RFC 7517), read strictly before
 * any of their content is trusted. Signatures by the JDK's providers (RFC 7518, RFC 8037); JWKs by nimbus-jose-jwt; JSON by Jackson.
 */
@NullMarked
package dev.gatehouse.common.jose;

import org.jspecify.annotations.NullMarked;
