package dev.gatehouse.common.realm;

/** How a route finds out who asks; routes that take access tokens have none of these. */
public enum SignOnContract {
  /** Through the login page of an identity provider (SAML or OpenID Connect). */
  FORM,
  /** HTTP Basic (RFC 7617), against the realm's directory. */
  BASIC,
  /** The client certificate of the TLS connection. */
  CERTIFICATE
}
