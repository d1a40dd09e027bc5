package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Permission to store responses of a route in memory, with its rules (RFC 9111).
 *
 * @param defaultFreshness freshness of a response that does not declare any; if empty, such responses are not stored
 * @param maxAge upper limit of freshness, whatever the app declares
 * @param maxObject bytes of the largest body that is stored
 * @param staleWhileRevalidate how long a stale response is still served while the app is asked; the app's own declaration
 *     takes precedence
 * @param staleIfError how long a stale response is served if the app fails; the app's own declaration takes precedence
 * @param sharing whether responses to identified people may be served to others
 * @param request which parts of a request reach the app and belong to the key
 * @param tags the response field that names tags to purge by, in lower case
 * @param compress whether texts are stored in gzip too
 */
public record CacheConfig(
    Optional<Duration> defaultFreshness,
    Optional<Duration> maxAge,
    long maxObject,
    Duration staleWhileRevalidate,
    Duration staleIfError,
    Sharing sharing,
    Request request,
    Optional<String> tags,
    boolean compress) {

  public static final long USUAL_OBJECT = 1L << 20;

  /** Follows the app's declarations and stores no response to identified people. */
  public static final CacheConfig USUAL =
      new CacheConfig(
          Optional.empty(), Optional.empty(), USUAL_OBJECT, Duration.ZERO, Duration.ZERO, new Sharing.None(),
          Request.USUAL, Optional.empty(), true);

  /**
   * The parts of a request that reach the app and belong to the key. Field names are in lower case.
   *
   * @param keyHeaders request fields on which responses depend although the app's Vary does not name them
   * @param passFields request fields that reach the app in addition to those that clients usually send; a response to one of
   *     them is stored only if the app's Vary names it
   * @param ignoreQuery query parameters that are neither part of the key nor sent to the app
   * @param ignoreCookies whether the app's own cookies are removed from the requests that fill the cache
   */
  public record Request(
      Set<String> keyHeaders, Set<String> passFields, Set<String> ignoreQuery, boolean ignoreCookies) {

    public static final Request USUAL = new Request(Set.of(), Set.of(), Set.of(), false);

    public Request {
      keyHeaders = Set.copyOf(keyHeaders);
      passFields = Set.copyOf(passFields);
      ignoreQuery = Set.copyOf(ignoreQuery);
    }
  }

  /** Decides which other identified people may get a response. */
  public sealed interface Sharing {
    /** Nobody. */
    record None() implements Sharing {}

    /** People permitted by the route's rule who share the same subset of the roles in that rule. */
    record ByRule() implements Sharing {}

    /** People permitted by the route's rule who share the same subset of these roles. */
    record ByRoles(List<String> roles) implements Sharing {
      public ByRoles {
        roles = List.copyOf(roles);
      }
    }
  }
}
