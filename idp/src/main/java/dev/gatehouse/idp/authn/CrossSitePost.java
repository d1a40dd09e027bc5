package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.IdpSessions;

/** Recognizes a POST from another site, for which the browser withheld the cookies (SameSite=Lax, RFC 6265bis). */
public final class CrossSitePost {

  private final IdpSessions sessions;
  private final BrowserBinding browsers;

  public CrossSitePost(IdpSessions sessions, BrowserBinding browsers) {
    this.sessions = sessions;
    this.browsers = browsers;
  }

  /** Returns whether the request is such a POST. Only a redirect to a GET can show whether there is a session. */
  public boolean comesWithoutCookies(RealmRequest request) {
    return !request.http().isGet() && sessions.token(request).isEmpty() && browsers.find(request).isEmpty();
  }
}
