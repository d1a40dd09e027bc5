package dev.gatehouse.gateway.refusal;

import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.refusal.Outage;
import dev.gatehouse.gateway.bearer.TokenRefusal;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The gateway's own response in place of the app's.
 *
 * @param page the kind of error page
 * @param reason for the log and the audit log
 * @param route the route of the request, or {@code -}
 * @param audited whether the refusal may be due to an attack; a failing app is only logged
 * @param fields additional fields for the client, such as the access token that is needed or the time to retry
 */
public record Refusal(
    int status, String page, String reason, String route, boolean audited, List<Headers.Field> fields) {

  /** After this time a request to a busy app may be repeated. */
  private static final Duration SOON = Duration.ofSeconds(5);

  /** The kind of page while an app is under maintenance. */
  static final String MAINTENANCE = "maintenance";

  private Refusal(int status, String page, String reason, String route, boolean audited) {
    this(status, page, reason, route, audited, List.of());
  }

  /** A copy with a challenge for access tokens or passwords. */
  public Refusal challenging(String wwwAuthenticate) {
    return with("WWW-Authenticate", wwwAuthenticate);
  }

  /** A copy with one more field. */
  public Refusal with(String name, String value) {
    List<Headers.Field> more = new ArrayList<>(fields);
    more.add(new Headers.Field(name, value));
    return new Refusal(status, page, reason, route, audited, List.copyOf(more));
  }

  /** A refusal by the route's sign-on contract; the sign-on itself was audited before. */
  public static Refusal signOn(int status, String page, String reason, String route) {
    return new Refusal(status, page, reason, route, true);
  }

  public static Refusal tooManyTries(String route, Duration retryAfter) {
    String seconds = Long.toString(Math.max(1, retryAfter.toSeconds()));
    return new Refusal(429, "too-many-tries", "THROTTLED", route, true).with("Retry-After", seconds);
  }

  /** A refused access token. */
  public static Refusal of(TokenRefusal refusal, String route) {
    int status = refusal.reason().error().status();
    boolean ours = refusal.reason() == TokenRefusal.Reason.ISSUER_UNAVAILABLE;
    // A client that is sent a new nonce has not attempted an attack: this happens to every client every few minutes.
    boolean audited = !ours && refusal.reason() != TokenRefusal.Reason.DPOP_NONCE;
    return new Refusal(status, ours ? "partner-unavailable" : "token-refused", refusal.reason().name(), route, audited);
  }

  public static Refusal of(Malformation malformation) {
    String page =
        switch (malformation) {
          case METHOD_REFUSED -> "method-not-allowed";
          case TARGET_TOO_LONG, HEAD_TOO_LARGE -> "too-large";
          default -> "bad-request";
        };
    return new Refusal(malformation.status(), page, malformation.name(), "-", true);
  }

  public static Refusal of(Reason reason, String route) {
    return new Refusal(reason.status(), reason.page(), reason.name(), route, true);
  }

  public static Refusal of(UpstreamFailure failure, String route) {
    String page =
        switch (failure) {
          case TIMEOUT -> "upstream-timeout";
          case UNAVAILABLE -> "upstream-unavailable";
          case BUSY -> "overloaded";
          case UNREACHABLE, TLS, CLOSED, MALFORMED -> "upstream-failed";
        };
    Refusal refusal = new Refusal(failure.status(), page, "UPSTREAM_" + failure.name(), route, false);
    return failure.status() == 503 ? refusal.with("Retry-After", seconds(SOON)) : refusal;
  }

  public static Refusal bodyTooLarge(String route) {
    return new Refusal(413, "too-large", "BODY_TOO_LARGE", route, true);
  }

  /** @param wait until the next request is allowed */
  static Refusal tooManyRequests(String route, Duration wait) {
    return new Refusal(429, "too-many-requests", "RATE_EXCEEDED", route, true).with("Retry-After", seconds(wait));
  }

  /** @param wait until the request may be repeated */
  static Refusal memoryShort(String route, Duration wait) {
    return new Refusal(503, "overloaded", "MEMORY_SHORT", route, false).with("Retry-After", seconds(wait));
  }

  /** A body for which there is no room among those that the gateway itself takes. */
  public static Refusal tooManyBodies() {
    return memoryShort("-", SOON);
  }

  /** @param rest until the maintenance ends, if that is known */
  static Refusal maintenance(String route, Optional<Duration> rest) {
    return new Refusal(503, MAINTENANCE, "MAINTENANCE", route, false)
        .with("Retry-After", seconds(rest.orElse(Duration.ofMinutes(5))));
  }

  private static String seconds(Duration wait) {
    return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
  }

  public static Refusal requestTimeout() {
    return new Refusal(408, "request-timeout", "REQUEST_TIMEOUT", "-", false);
  }

  /** An HTTP/2 client that causes work without making requests. */
  public static Refusal flooded() {
    return new Refusal(429, "bad-request", "HTTP2_FLOOD", "-", true);
  }

  /** The client accepts only a stored response (RFC 9111, section 5.2.1.7), and there is none. */
  public static Refusal notKept(String route) {
    return new Refusal(504, "upstream-timeout", "ONLY_IF_CACHED", route, false);
  }

  /** An internal error. */
  static Refusal fault(String route) {
    return new Refusal(500, "internal", "FAULT", route, false);
  }

  /** Something that the request needs cannot be used now. */
  public static Refusal unavailable(Outage outage, String route) {
    return new Refusal(503, outage.page(), outage.reason(), route, false).with("Retry-After", Outage.retryAfter());
  }
}
