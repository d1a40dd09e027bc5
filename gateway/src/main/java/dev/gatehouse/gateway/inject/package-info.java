/**
 * Tokens for apps behind the gateway that name the authenticated person (RFC 7519), signed once a minute for each session.
 * Has no network access.
 */
@NullMarked
package dev.gatehouse.gateway.inject;

import org.jspecify.annotations.NullMarked;
