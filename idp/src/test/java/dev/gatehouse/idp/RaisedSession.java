package dev.gatehouse.idp;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContract;
import java.net.InetAddress;
import java.net.URI;
import java.util.Objects;

/** Raises the session of a browser by one more contract, as a step-up does, without its pages. */
final class RaisedSession {

  private RaisedSession() {}

  static void by(LoginContract contract, Idp idp, TestBrowser browser) {
    Realm realm = idp.realms.find("demo").orElseThrow();
    EdgeRequest http =
        new EdgeRequest(
            "GET", Origin.of(URI.create(TestRealms.IDP)), "/realms/demo/", "", Headers.empty(), new byte[0],
            InetAddress.ofLiteral("192.0.2.7"));
    IdpSessions sessions = idp.context.getBean(IdpSessions.class);
    SessionToken token = SessionToken.parse(Objects.requireNonNull(browser.cookies.get("gh_idp.demo"))).orElseThrow();
    IdpSession session = sessions.find("demo", token.id()).orElseThrow();
    sessions
        .raise(
            new RealmRequest(realm, realm.idp().orElseThrow(), http), session,
            new AuthnEvent(idp.time.instant(), contract, contract.least()))
        .orElseThrow()
        .cookies()
        .forEach(cookie -> browser.cookies.put(cookie.split("=", 2)[0], cookie.split("=", 2)[1].split(";", 2)[0]));
  }
}
