package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.time.Instant;
import java.util.Optional;

/**
 * A bearer assertion is used once (SAML Profiles 4.1.4.5). The only check that leaves a mark, and so the last one: it
 * is made when the browser was recognised and the login is about to be opened.
 */
public final class ReplayCheck {

  private final ReplayCache replays;

  public ReplayCheck(ReplayCache replays) {
    this.replays = replays;
  }

  /** @param until when it can be accepted by no way any more */
  public Optional<SamlRefusal> mark(String realm, String issuer, String id, Instant until) {
    return Refuse.unless(
        replays.firstSeen(new ReplayKey(realm, issuer, id), until), Reason.REPLAYED, "used before: " + id);
  }

  /** For {@link ResponseExpectation}. */
  public Instant completeSince() {
    return replays.completeSince();
  }
}
