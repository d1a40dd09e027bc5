package dev.gatehouse.idp.passkey;

import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Instant;
import java.util.List;

/** A session of somebody who logged in by password. */
final class PasswordSession {

  private PasswordSession() {}

  static IdpSession of(Person person) {
    Instant now = Instant.parse("2026-11-21T05:00:00Z");
    SessionId id = new SessionId("a".repeat(43));
    return new IdpSession(
        id, id, "demo", new Lifetime(now, now.plusSeconds(1800), now.plusSeconds(28_800)), PersonSnapshot.of(person, now),
        List.of(new AuthnEvent(now, LoginContract.PASSWORD, AuthnLevel.PROTECTED_PASSWORD)), new IdpSession.Browser("127.0.0.1", ""), List.of(),
        SessionDevice.NONE);
  }
}
