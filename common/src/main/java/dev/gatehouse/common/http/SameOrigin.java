package dev.gatehouse.common.http;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a page of the same origin sent a request: by {@code Sec-Fetch-Site} (W3C Fetch Metadata, section 2.4), which
 * browsers send to trustworthy origins; without it by {@code Origin} (RFC 6454, section 7); without that by {@code Referer}.
 */
public final class SameOrigin {

  private SameOrigin() {}

  /** Returns whether a page of the same origin sent the request. Without all three fields, it counts as one of another origin. */
  public static boolean sent(EdgeRequest request) {
    return verdict(request).orElse(false);
  }

  /** Returns whether no field says that a page of another origin sent the request: programs send none of them. */
  public static boolean mayHaveSent(EdgeRequest request) {
    return verdict(request).orElse(true);
  }

  /**
   * Returns whether a page of the same site sent the request or a person typed its address: {@code Sec-Fetch-Site} of {@code
   * same-origin}, {@code same-site} or {@code none}. Without the field, it counts as one of another site.
   */
  public static boolean isSameSite(EdgeRequest request) {
    return request
        .headers()
        .first("Sec-Fetch-Site")
        .filter(site -> site.equals("same-origin") || site.equals("same-site") || site.equals("none"))
        .isPresent();
  }

  private static Optional<Boolean> verdict(EdgeRequest request) {
    Optional<String> site = request.headers().first("Sec-Fetch-Site");
    if (site.isPresent()) {
      return Optional.of(site.get().equals("same-origin"));
    }
    List<String> origins = request.headers().all("Origin");
    if (!origins.isEmpty()) {
      return Optional.of(origins.stream().allMatch(request.origin().toString()::equals));
    }
    return request.headers().first("Referer").map(referer -> isBelow(request.origin(), referer));
  }

  private static boolean isBelow(Origin origin, String referer) {
    try {
      return Origin.of(URI.create(referer)).equals(origin);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
