package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeRequest;

/**
 * Refuses requests from pages of other origins: by {@code Sec-Fetch-Site} (W3C Fetch Metadata 2.4) if the browser sends
 * it, and by {@code Origin} (RFC 6454, section 7). Clients that are not browsers send neither and pass.
 */
public final class SameOriginCheck {

  private SameOriginCheck() {}

  public static boolean passes(EdgeRequest request) {
    boolean siteFits =
        request
            .headers()
            .first("Sec-Fetch-Site")
            .map(site -> site.equals("same-origin") || site.equals("none"))
            .orElse(true);
    boolean originFits = request.headers().all("Origin").stream().allMatch(request.origin().toString()::equals);
    return siteFits && originFits;
  }
}
