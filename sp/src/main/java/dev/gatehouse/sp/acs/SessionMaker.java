package dev.gatehouse.sp.acs;

import dev.gatehouse.common.realm.SessionTimeouts;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.check.ResponseExpectation;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.time.Instant;

/** Creates the session of a person whose account is known. */
final class SessionMaker {

  private SessionMaker() {}

  static AppSession session(
      SpRealm realm, VerifiedAssertion assertion, LocalAccount account, SessionId id, Instant now) {
    SessionTimeouts life = realm.sp().session();
    Instant longest = now.plus(life.absolute());
    // The clock skew that let the assertion in also extends the session; otherwise the session would be over when it
    // opens.
    Instant absoluteEnd =
        assertion
            .sessionNotOnOrAfter()
            .map(end -> end.plus(ResponseExpectation.CLOCK_SKEW))
            .filter(longest::isAfter)
            .orElse(longest);
    AppSession.Login login =
        new AppSession.Login(
            assertion.identityProvider(),
            assertion.asserted().nameId(),
            assertion.sessionIndex(),
            assertion.authenticationResult().authnContextClassRef(),
            assertion.authenticationResult().authnInstant().map(at -> at.isAfter(now) ? now : at).orElse(Instant.EPOCH));
    return new AppSession(
        id, realm.name(), Lifetime.beginning(now, life.idle(), absoluteEnd), account, login);
  }
}
