package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * That responses of a route may be kept in memory, and what is special about it (RFC 9111).
 *
 * @param defaultFreshness how long a response is fresh that says nothing of it; such responses are not kept where empty
 * @param maxAge the longest that anything is fresh, whatever the app says
 * @param maxObject bytes of the largest body that is kept
 * @param staleWhileRevalidate how long a stale response is still served while the app is asked; what the app says of it
 *     counts more
 * @param staleIfError how long a stale response is served where the app fails; what the app says of it counts more
 * @param sharing whether what was answered to identified people may be served to others
 * @param request what of a request reaches the app and counts for the key
 * @param tags the response field that names tags to purge by, in lower case
 * @param compress whether texts are kept in gzip too
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

  /** As the app says, and nothing that was answered to identified people. */
  public static final CacheConfig USUAL =
      new CacheConfig(
          Optional.empty(), Optional.empty(), USUAL_OBJECT, Duration.ZERO, Duration.ZERO, new Sharing.None(),
          Request.USUAL, Optional.empty(), true);

  public CacheConfig withSharing(Sharing shared) {
    return new CacheConfig(
        defaultFreshness, maxAge, maxObject, staleWhileRevalidate, staleIfError, shared, request, tags, compress);
  }

  /**
   * What of a request reaches the app and counts for the key. Field names are in lower case.
   *
   * @param keyHeaders request fields of which the answers depend though the app's Vary does not say so
   * @param passFields request fields that reach the app besides those that clients usually send; an answer to one of them
   *     is kept only where the app's Vary names it
   * @param ignoreQuery query parameters that neither count nor reach the app
   * @param ignoreCookies whether the app's own cookies are kept from the requests that fill the cache
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

  /** Who may get what was answered to somebody else who is known. */
  public sealed interface Sharing {
    /** Nobody. */
    record None() implements Sharing {}

    /** Whoever the route's rule permits with the same ones of the roles that the rule asks for. */
    record ByRule() implements Sharing {}

    /** Whoever the route's rule permits with the same ones of these roles. */
    record ByRoles(List<String> roles) implements Sharing {
      public ByRoles {
        roles = List.copyOf(roles);
      }
    }
  }
}
