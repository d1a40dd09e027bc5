package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that a bearer assertion is used only once (SAML Profiles 4.1.4.5). It is the only check that writes a mark,
 * and therefore the last one: it runs after the browser was recognised, just before the login is opened.
 */
public final class ReplayCheck {

  private final ReplayCache replays;

  public ReplayCheck(ReplayCache replays) {
    this.replays = replays;
  }

  /** @param until the time from which the message cannot be accepted any more */
  public Optional<SamlRefusal> mark(String realm, String issuer, String id, Instant until) {
    return SamlRefusal.unless(
        replays.firstSeen(new ReplayKey(realm, issuer, id), until), Reason.REPLAYED, "used before: " + id);
  }

  /** The time for {@link ResponseExpectation}. */
  public Instant completeSince() {
    return replays.completeSince();
  }
}
