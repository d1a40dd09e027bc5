package dev.gatehouse.common.realm;

import java.time.Duration;

/** How a route finds out who asks; routes that take access tokens have none of these. */
public sealed interface SignOnContract {

  /** The usual one. */
  SignOnContract FORM = new Form();

  /** Through the login page of an identity provider (SAML or OpenID Connect). */
  record Form() implements SignOnContract {}

  /**
   * HTTP Basic (RFC 7617), against the realm's directory.
   *
   * @param cache how long a password that the directory has accepted is not shown to it again: as long may an old one work
   *     after it was changed behind our back
   */
  record Basic(Duration cache) implements SignOnContract {

    /** What changes in the directory behind our back counts within a minute. */
    public static final Duration USUAL_CACHE = Duration.ofMinutes(1);
  }

  /** The client certificate of the TLS connection, by the rules of the realm's {@code contracts.certificate}. */
  record Certificate() implements SignOnContract {}
}
