package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.logout.PendingLogout;
import dev.gatehouse.sp.logout.Receipt;
import dev.gatehouse.sp.logout.Receipt.Outcome;
import java.util.Optional;

/**
 * {@code GET /.gatehouse/oidc/logged-out} at the home origin. A provider redirects the browser here after a logout that
 * we began (OpenID Connect RP-Initiated Logout 1.0, section 3), and the person sees the receipt. The session here has
 * already ended, so nothing depends on this request.
 */
public final class LoggedOutEndpoint {

  public static final String PATH = SpPaths.PREFIX + "oidc/logged-out";

  private final OpenIdProviderLogout logout;
  private final Receipt receipt;
  private final AuditLog audit;
  private final Refusals refusals;

  public LoggedOutEndpoint(
      OpenIdProviderLogout logout, PartnerRegistry partners, Pages pages, AuditLog audit, Refusals refusals) {
    this.logout = logout;
    this.receipt = new Receipt(pages, partners);
    this.audit = audit;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    Optional<String> state = request.queryParameters().one("state");
    Optional<PendingLogout> pending =
        state.flatMap(logout.pendings()::peek).filter(found -> found.realm().equals(realm.name()));
    if (pending.isEmpty() || !(logout.pendings().take(state.orElseThrow()) instanceof TakeResult.First<PendingLogout>)) {
      return refusals.message(
          realm, request, "-", "post-logout redirect", Reason.STATE, "no logout of ours waits for it");
    }
    PendingLogout done = pending.get();
    audit.record(
        new AuditEvent.LogoutPropagated(
            AuditEvent.Context.of(realm.name(), request.client()), done.identityProvider(), done.person(), "done"));
    return receipt.show(realm, request, Outcome.DONE, done.identityProvider(), done.back());
  }
}
