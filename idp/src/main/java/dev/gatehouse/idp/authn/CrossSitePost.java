package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.endpoint.RealmRequest;

/** Tells a POST that another site sent, and whose cookies the browser kept back (SameSite=Lax, RFC 6265bis). */
public final class CrossSitePost {

  private final IdpSessions sessions;
  private final BrowserBinding browsers;

  public CrossSitePost(IdpSessions sessions, BrowserBinding browsers) {
    this.sessions = sessions;
    this.browsers = browsers;
  }

  /** Whether there is a session can only be told after one step to a GET. */
  public boolean comesWithoutCookies(RealmRequest request) {
    return !request.http().isGet() && sessions.token(request).isEmpty() && browsers.find(request).isEmpty();
  }
}
