/**
 * The cost of a signed SAML Response for a person who is already logged in: the Gatehouse idp and Keycloak, with the
 * same AuthnRequests and the same number of signatures, beside the bare signature. The load comes from plain sockets,
 * so that it takes little from the servers on the same machine.
 */
@NullMarked
package dev.gatehouse.perf.sso;

import org.jspecify.annotations.NullMarked;
