package dev.gatehouse.common.throttle;

import java.net.InetAddress;

/** The source of a login try. Each kind is counted separately, so that none uses up the tries of another. */
public sealed interface GuessSource {

  /** A client of which only the address is known: all strangers share the account's count. */
  record Stranger(InetAddress address) implements GuessSource {}

  /**
   * A browser in which the account's owner has logged in before. It is not counted by its address, so that neighbours behind the same
   * address cannot slow down a person at home.
   */
  record KnownDevice(String id) implements GuessSource {}

  /** An authenticated OAuth client: all its people come from its server's address. */
  record OAuthClient(String clientId) implements GuessSource {}
}
