package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.sp.edge.PerAddressQuota;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * {@code GET /.gatehouse/oidc/frontchannel} at the home origin. A provider's page loads it in a frame (OpenID Connect
 * Front-Channel Logout 1.0, section 2). Browsers do not send our cookie from a frame of another site, so {@code iss}
 * and {@code sid} must both identify the session. A caller that does not know the {@code sid} cannot end anything.
 */
public final class FrontChannelLogoutEndpoint {

  public static final String PATH = SpPaths.PREFIX + "oidc/frontchannel";

  /** Anyone can name a session that we do not know yet. The limit is the number of marks per hour for such sessions. */
  private static final int MAX_PER_ADDRESS = 20;

  private static final int MAX = 10_000;

  private final OpenIdLogouts logouts;
  private final PerAddressQuota unknown;
  private final Refusals refusals;
  private final InstantSource time;

  public FrontChannelLogoutEndpoint(OpenIdLogouts logouts, Refusals refusals, InstantSource time) {
    this.logouts = logouts;
    this.unknown = new PerAddressQuota(MAX_PER_ADDRESS, MAX, Duration.ofHours(1), time);
    this.refusals = refusals;
    this.time = time;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    Parameters query = request.queryParameters();
    Optional<String> issuer = query.one("iss").filter(iss -> realm.openIdProvider(iss).isPresent());
    Optional<String> session = query.one("sid").filter(sid -> !sid.isEmpty());
    if (issuer.isEmpty() || session.isEmpty()) {
      return refusals.message(
          realm, request, "-", "front-channel logout", Reason.SUBJECT_OR_SESSION, "no iss of a provider of ours, or no sid");
    }
    if (logouts.isOpen(realm.name(), issuer.get(), session.get()) || unknown.enter(request.client())) {
      logouts.end(
          AuditEvent.Context.of(realm.name(), request.client()), issuer.get(), Optional.empty(), session, time.instant());
    }
    String ancestors = "default-src 'none'; frame-ancestors " + Origin.of(URI.create(issuer.get()));
    return EdgeReply.of(200, "text/html;charset=utf-8", "<!DOCTYPE html><title>-</title>")
        .with("Content-Security-Policy", ancestors)
        .with("Cache-Control", "no-store");
  }
}
