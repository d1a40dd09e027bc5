/**
 * The directory of people over LDAP (RFC 4511 to 4519): authentication by bind, look-up, password change; connection pool,
 * fail-over and circuit breaker. Also the pairs of names that a person's entry or a table keeps for federation. The only package
 * besides the demo that may use the UnboundID SDK.
 */
@NullMarked
package dev.gatehouse.common.directory;

import org.jspecify.annotations.NullMarked;
