package dev.gatehouse.perf.oauth;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/** The clients that every server has: confidential, with all grants, one for each format of access token. */
public enum BenchClient {
  RS256("jwt", "RS256"),
  ES256("jwt", "ES256"),
  /** ID tokens are signed with ES256. Keycloak has no opaque tokens. */
  OPAQUE("opaque", "ES256");

  public static final String SECRET = "Ff3rVw0cJkq9Zb2mXn7sTtLh5yDaPg8e";
  public static final String CALLBACK = "http://127.0.0.1:9999/callback";

  private final String format;
  private final String algorithm;

  BenchClient(String format, String algorithm) {
    this.format = format;
    this.algorithm = algorithm;
  }

  public String id() {
    return "bench-" + name().toLowerCase(Locale.ROOT);
  }

  /** {@code jwt} or {@code opaque}. */
  public String format() {
    return format;
  }

  /** The algorithm of everything that is signed for the client. */
  public String algorithm() {
    return algorithm;
  }

  /** The header field with which it authenticates. */
  public String basic() {
    String both = id() + ":" + SECRET;
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.US_ASCII));
  }
}
