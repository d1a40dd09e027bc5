/**
 * {@code ./gatehouse bench oauth}: the cost of every flow of OAuth 2.0 and OpenID Connect at our identity provider and at
 * Keycloak, with the same clients, people and algorithms, beside the bare signature and the bare directory; and S3.
 */
@NullMarked
package dev.gatehouse.perf.oauth;

import org.jspecify.annotations.NullMarked;
