package dev.gatehouse.gateway.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * A request to the administration of a node whose answer is JSON.
 *
 * @param path below the origin, with the query
 * @param body is sent as JSON
 * @param revision the one that a change of the configuration is made for; if another one is in use, the node refuses
 * @param alsoResult a status whose answer is a result, as that of a success is
 * @param timeout how long the node may take to answer
 */
public record NodeCall(
    String method, String path, Optional<Object> body, Optional<Long> revision, Optional<Integer> alsoResult, Duration timeout) {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Reads what is there. */
  public static NodeCall get(String path) {
    return of("GET", path, Optional.empty());
  }

  /** Does what the path says. */
  public static NodeCall post(String path) {
    return of("POST", path, Optional.empty());
  }

  /** Sends a value. */
  public static NodeCall post(String path, Object body) {
    return of("POST", path, Optional.of(body));
  }

  /** Puts a value in place of what is there. */
  public static NodeCall put(String path, Object body) {
    return of("PUT", path, Optional.of(body));
  }

  /** Removes what is there. */
  public static NodeCall delete(String path) {
    return of("DELETE", path, Optional.empty());
  }

  private static NodeCall of(String method, String path, Optional<Object> body) {
    return new NodeCall(method, path, body, Optional.empty(), Optional.empty(), TIMEOUT);
  }

  /** Returns the call for a change that was made for this revision. */
  public NodeCall forRevision(long number) {
    return new NodeCall(method, path, body, Optional.of(number), alsoResult, timeout);
  }

  /** Returns the call for which this status is a result, too. */
  public NodeCall orStatus(int status) {
    return new NodeCall(method, path, body, revision, Optional.of(status), timeout);
  }

  /** Returns the call with another timeout. */
  NodeCall within(Duration limit) {
    return new NodeCall(method, path, body, revision, alsoResult, limit);
  }

  /** Encodes a value so that it does not leave its place in the path or query. */
  public static String encoded(String value) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    return encoded.matches("\\.+") ? encoded.replace(".", "%2E") : encoded;
  }

  boolean isResult(int status) {
    return status / 100 == 2 || alsoResult.equals(Optional.of(status));
  }

  /** Does not contain the body, which may have secrets. */
  @Override
  public String toString() {
    return "NodeCall[" + method + " " + path + "]";
  }
}
