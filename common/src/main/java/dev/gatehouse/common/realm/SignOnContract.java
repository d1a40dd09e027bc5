package dev.gatehouse.common.realm;

import java.time.Duration;

/** The way in which a route identifies the person; routes that take access tokens have none of these. */
public sealed interface SignOnContract {

  /** The default. */
  SignOnContract FORM = new Form();

  /** Through the login page of an identity provider (SAML or OpenID Connect). */
  record Form() implements SignOnContract {}

  /**
   * HTTP Basic (RFC 7617), against the realm's directory.
   *
   * @param cache how long an accepted password is not verified again: an old password may work that long after it was changed
   *     without our knowledge
   */
  record Basic(Duration cache) implements SignOnContract {

    /** A change in the directory without our knowledge takes effect within a minute. */
    public static final Duration USUAL_CACHE = Duration.ofMinutes(1);
  }

  /** The client certificate of the TLS connection, by the rules of the realm's {@code contracts.certificate}. */
  record Certificate() implements SignOnContract {}
}
