package dev.gatehouse.common.throttle;

import java.net.InetAddress;

/** Who tries a password. Each kind has counts of its own, so that none of them uses up the tries of another. */
public sealed interface GuessSource {

  /** Somebody of whom nothing but the address is known: all of them share the account's count. */
  record Stranger(InetAddress address) implements GuessSource {}

  /**
   * A browser in which the account's owner has logged in before. Not counted by its address: neighbours behind it cannot
   * slow somebody at home.
   */
  record KnownDevice(String id) implements GuessSource {}

  /** An OAuth client that has authenticated: its people all come from its server's address. */
  record OAuthClient(String clientId) implements GuessSource {}
}
