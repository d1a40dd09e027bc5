package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.common.crypto.Digests;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSessions;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * {@code GET /.gatehouse/ticket} at an origin other than the home origin. Gives the browser a token of its own for the
 * session that the home origin opened. A browser that did not begin the login at this origin does not consume the
 * ticket.
 */
public final class TicketEndpoint {

  private final ReturnRedirect returnRedirect;
  private final AppSessions sessions;
  private final Refusals refusals;
  private final RandomGenerator random;

  public TicketEndpoint(ReturnRedirect returnRedirect, AppSessions sessions, Refusals refusals, RandomGenerator random) {
    this.returnRedirect = returnRedirect;
    this.sessions = sessions;
    this.refusals = refusals;
    this.random = random;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    Optional<String> key = request.queryParameters().one("ticket");
    Optional<Ticket> ticket = key.flatMap(returnRedirect.tickets()::peek).filter(found -> isFor(found, realm, request));
    if (key.isEmpty() || ticket.isEmpty() || !(returnRedirect.tickets().take(key.get()) instanceof TakeResult.First<Ticket>)) {
      return refusals.page(realm, request, 403, "expired");
    }
    return enter(realm, request, ticket.get());
  }

  private EdgeReply enter(SpRealm realm, EdgeRequest request, Ticket ticket) {
    SessionToken token = SessionToken.create(random);
    if (!sessions.alias(ticket.session(), token)) {
      return refusals.page(realm, request, 403, "expired");
    }
    AppCookie.token(request).ifPresent(sessions::endAlias);
    return AppCookie.set(EdgeReply.seeOther(ticket.target().url()), request.origin(), token);
  }

  private static boolean isFor(Ticket ticket, SpRealm realm, EdgeRequest request) {
    return ticket.target().origin().equals(request.origin())
        && BrowserKey.of(realm, request)
            .filter(browser -> Digests.equal(browser.hash(), ticket.target().nonceHash().orElse("")))
            .isPresent();
  }
}
