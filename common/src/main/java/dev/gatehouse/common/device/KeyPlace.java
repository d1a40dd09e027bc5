package dev.gatehouse.common.device;

import dev.gatehouse.common.http.EdgeRequest;

/**
 * The addresses and the cookie by which the sessions of one kind in a realm are bound.
 *
 * @param prefix of the paths below, which need no cookie of a proved key
 * @param scope the path below which requests carry the session; {@code /} if everywhere
 * @param cookie the name of the short-lived cookie, without {@code __Host-}
 */
public record KeyPlace(String realm, String prefix, String scope, String cookie) {

  /** Returns where the browser registers a key of its own. */
  public String registration() {
    return prefix + "registration";
  }

  /** Returns where the browser proves it. */
  public String refresh() {
    return prefix + "refresh";
  }

  /** Returns where our page registers and proves its key. */
  public String key() {
    return prefix + "key";
  }

  /** Returns the page that makes or proves a key. */
  public String page() {
    return prefix + "proof";
  }

  /** Returns the script of the page. */
  public String script() {
    return prefix + "proof.js";
  }
}
