package dev.gatehouse.idp.oauth;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.refusal.FaultLog;
import dev.gatehouse.common.refusal.Outage;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JSON answers for programs (RFC 6749, sections 5.1 and 5.2). A refusal is recorded in the audit log with its reason;
 * the client gets the error and a description for its developer; the log contains the reference ID.
 */
public final class OAuthReplies {

  private static final Logger LOG = LoggerFactory.getLogger(OAuthReplies.class);

  /** RFC 6749, section 5.1, including the field for HTTP/1.0 caches. */
  private static final Headers JSON =
      Headers.of(
          List.of(
              new Headers.Field("Content-Type", "application/json"),
              new Headers.Field("Cache-Control", "no-store"),
              new Headers.Field("Pragma", "no-cache")));

  private static final int LONGEST = 200;

  private final RefusalLog log;
  private final FaultLog faults = new FaultLog(LOG);

  public OAuthReplies(RefusalLog log) {
    this.log = log;
  }

  public static EdgeReply json(int status, byte[] json) {
    return new EdgeReply(status, JSON, json);
  }

  /** @param client its ID if known, else {@code -} */
  public EdgeReply refused(RealmRequest request, String client, OAuthError error) {
    log.record(
        request.realm().name(), request.http().client(), client, asked(request), error.code().name(), error.description());
    return plain(request, error);
  }

  /** The reply, or the refusal of a client that is not known yet. */
  public EdgeReply answered(RealmRequest request, Result<EdgeReply, OAuthError> answer) {
    return switch (answer) {
      case Result.Accepted(EdgeReply reply) -> reply;
      case Result.Refused(var error) -> refused(request, "-", error);
    };
  }

  /** Refuses a client that has used its share of simultaneously waiting entries (RFC 9126, section 2.3). */
  public EdgeReply tooMany(RealmRequest request, String client, String description, Duration retryAfter) {
    OAuthError error = OAuthError.of(OAuthError.Code.TEMPORARILY_UNAVAILABLE, description);
    EdgeReply reply = refused(request, client, error);
    return new EdgeReply(429, reply.headers(), reply.body()).with("Retry-After", PendingQuota.seconds(retryAfter));
  }

  /** Wraps the endpoint so that its faults become errors that programs understand; the log contains them in full. */
  public Endpoint guarded(Endpoint endpoint) {
    return request -> {
      try {
        return endpoint.handle(request);
      } catch (Parameters.Malformed e) {
        return refused(request, "-", OAuthError.of(OAuthError.Code.INVALID_REQUEST, String.valueOf(e.getMessage())));
      } catch (RuntimeException e) {
        return failed(request, e);
      }
    };
  }

  private EdgeReply failed(RealmRequest request, RuntimeException fault) {
    faults.failed(asked(request) + " (reference " + log.reference() + ")", fault);
    return Outage.of(fault).isPresent()
        ? plain(request, OAuthError.of(OAuthError.Code.TEMPORARILY_UNAVAILABLE, "Try again later")).with("Retry-After", Outage.retryAfter())
        : plain(request, OAuthError.of(OAuthError.Code.SERVER_ERROR, "The request failed; try it again later"));
  }

  private static EdgeReply plain(RealmRequest request, OAuthError error) {
    byte[] json =
        new JsonText()
            .text("error", error.code().value())
            .text("error_description", shown(error.description()))
            .toBytes();
    EdgeReply bare = json(error.status(), json);
    EdgeReply reply = error.nonce().map(nonce -> bare.with(OAuthError.NONCE, nonce)).orElse(bare);
    if (error.retryAfter().isPresent()) {
      // No challenge to authenticate: the same credentials would be refused again.
      return reply.with("Retry-After", Long.toString(Math.max(1, error.retryAfter().get().toSeconds())));
    }
    return switch (error.code()) {
      case INVALID_CLIENT -> reply.with("WWW-Authenticate", "Basic realm=\"" + request.realm().name() + "\"");
      case INVALID_TOKEN, INSUFFICIENT_SCOPE, INSUFFICIENT_USER_AUTHENTICATION ->
          reply.with(
              "WWW-Authenticate",
              "Bearer realm=\"" + request.realm().name() + "\", error=\"" + error.code().value() + "\"");
      default -> reply;
    };
  }

  private static String asked(RealmRequest request) {
    return request.http().method() + " " + request.http().path();
  }

  /** Limits the text as RFC 6749, section 5.2 demands: printable ASCII without quotation marks and backslashes. */
  private static String shown(String description) {
    String shown = description.length() > LONGEST ? description.substring(0, LONGEST) : description;
    return shown.replaceAll("[^\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]", "?");
  }
}
