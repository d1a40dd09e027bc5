package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.http.EdgeReply;

/** JSON that anyone may read and cache for a while, including pages of any origin (W3C Fetch, section 3.3). */
final class PublicJson {

  /** Also the time for which a new key is published before it signs; see {@code gatehouse keys}. */
  private static final String CACHED = "public, max-age=900";

  private PublicJson() {}

  static EdgeReply reply(String json) {
    return EdgeReply.of(200, "application/json", json)
        .with("Cache-Control", CACHED)
        .with("Access-Control-Allow-Origin", "*")
        .with("X-Content-Type-Options", "nosniff");
  }
}
