package dev.gatehouse.idp.oauth.registration;

import java.util.Optional;

/** Tokens that let somebody register clients (RFC 7591, section 3). */
@FunctionalInterface
public interface InitialAccessTokens {

  /** The name under which it was given out; empty where it was not. */
  Optional<String> verify(String token);
}
