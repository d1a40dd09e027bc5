package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.LogoutTokenValidator;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.idtoken.VerifiedLogoutToken;
import java.util.Optional;

/**
 * {@code POST /.gatehouse/oidc/backchannel} at the home origin. A provider's server ends sessions with a logout token
 * (OpenID Connect Back-Channel Logout 1.0, sections 2.5 to 2.8). If no session is left, the answer is also 200, because
 * the requested state holds.
 */
public final class BackChannelLogoutEndpoint {

  public static final String PATH = SpPaths.PREFIX + "oidc/backchannel";

  private final LogoutTokenValidator validator;
  private final ReplayCheck replays;
  private final OpenIdLogouts logouts;
  private final Refusals refusals;

  public BackChannelLogoutEndpoint(
      LogoutTokenValidator validator, ReplayCheck replays, OpenIdLogouts logouts, Refusals refusals) {
    this.validator = validator;
    this.replays = replays;
    this.logouts = logouts;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("POST")) {
      return refusals.methodNotAllowed(realm, request, "POST");
    }
    Optional<String> token = request.formParameters().one("logout_token");
    if (token.isEmpty()) {
      return refused(realm, request, "-", new OpenIdRefusal(Reason.NO_MESSAGE, "no logout_token"));
    }
    return switch (validator.validate(realm.realm(), token.get())) {
      case Result.Refused(OpenIdRefusal refusal) -> refused(realm, request, "-", refusal);
      case Result.Accepted(VerifiedLogoutToken logout) -> end(realm, request, logout);
    };
  }

  private EdgeReply end(SpRealm realm, EdgeRequest request, VerifiedLogoutToken logout) {
    Optional<SamlRefusal> before =
        replays.mark(realm.name(), logout.issuer(), "logout " + logout.id(), logout.acceptableUntil());
    if (before.isPresent()) {
      return refused(
          realm, request, logout.issuer(), new OpenIdRefusal(Reason.REPLAYED, "the logout token was used before"));
    }
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    logouts.end(context, logout.issuer(), logout.subject(), logout.session(), logout.issuedAt());
    return EdgeReply.of(200, "text/plain", "").with("Cache-Control", "no-store");
  }

  /** Answers 503 if a later attempt of the provider may succeed. */
  private EdgeReply refused(SpRealm realm, EdgeRequest request, String issuer, OpenIdRefusal refusal) {
    refusals.audited(realm, request, issuer, "logout token", refusal.reason(), refusal.detail());
    boolean later = refusal.reason() == Reason.PROVIDER_UNAVAILABLE;
    return EdgeReply.json(
            later ? 503 : 400, new JsonText().text("error", later ? "temporarily_unavailable" : "invalid_request"))
        .with("Cache-Control", "no-store");
  }
}
