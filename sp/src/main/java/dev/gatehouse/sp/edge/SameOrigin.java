package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.EdgeRequest;

/** Decides whether a page of the same origin sent a request (W3C Fetch Metadata; RFC 6454, section 7). */
public final class SameOrigin {

  private SameOrigin() {}

  /**
   * Uses {@code Sec-Fetch-Site} if the browser sends it (only to trustworthy origins), otherwise {@code Origin}. A
   * request with neither counts as a request from another site.
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
