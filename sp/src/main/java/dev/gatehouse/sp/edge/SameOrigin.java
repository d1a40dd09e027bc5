package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.EdgeRequest;

/** Whether one of the origin's own pages sent a request (W3C Fetch Metadata; RFC 6454, section 7). */
public final class SameOrigin {

  private SameOrigin() {}

  /**
   * By {@code Sec-Fetch-Site} where the browser sends it, which it does to trustworthy origins only, else by {@code
   * Origin}. A request with neither counts as another site's.
   */
  public static boolean is(EdgeRequest request) {
    return request
        .headers()
        .first("Sec-Fetch-Site")
        .map(site -> site.equals("same-origin"))
        .orElseGet(
            () -> request.headers().first("Origin").filter(request.origin().toString()::equals).isPresent());
  }
}
