package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.http.EdgeReply;

/** JSON that anybody may read and keep for a while: pages of any origin too (W3C Fetch, section 3.3). */
final class PublicJson {

  /** Also how long a new key is published before it signs; see {@code gatehouse keys}. */
  private static final String KEPT = "public, max-age=900";

  private PublicJson() {}

  static EdgeReply reply(String json) {
    return EdgeReply.json(200, json)
        .with("Cache-Control", KEPT)
        .with("Access-Control-Allow-Origin", "*")
        .with("X-Content-Type-Options", "nosniff");
  }
}
