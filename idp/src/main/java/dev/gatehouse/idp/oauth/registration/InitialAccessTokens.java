package dev.gatehouse.idp.oauth.registration;

import java.util.Optional;

/** Tokens that allow their holder to register clients (RFC 7591, section 3). */
@FunctionalInterface
public interface InitialAccessTokens {

  /** Returns the name under which the token was issued; empty if it was not issued. */
  Optional<String> verify(String token);
}
