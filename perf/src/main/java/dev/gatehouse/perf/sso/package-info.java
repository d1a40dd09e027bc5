/**
 * What a signed SAML Response costs for somebody who is already logged in: an identity provider of ours and Keycloak, the
 * same AuthnRequests, the same number of signatures, beside the bare signature. The load comes from plain sockets, so that
 * it takes little from the servers it shares the machine with.
 */
@NullMarked
package dev.gatehouse.perf.sso;

import org.jspecify.annotations.NullMarked;
