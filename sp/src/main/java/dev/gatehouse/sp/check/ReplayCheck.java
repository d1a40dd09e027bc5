package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that a bearer assertion is used only once (SAML Profiles 4.1.4.5). It is the only check that writes a mark,
 * and therefore the last one: it runs after the browser was recognised, just before the login is opened.
 */
public final class ReplayCheck {

  /**
   * The time that a mark outlives its message. The clock goes on after the message's time was checked: a directory may be asked before
   * the mark is looked for. The clocks of nodes that share the marks may differ, too.
   */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private final ReplayCache replays;

  public ReplayCheck(ReplayCache replays) {
    this.replays = replays;
  }

  /** @param until the time from which the message cannot be accepted any more */
  public Optional<SamlRefusal> mark(String realm, String issuer, String id, Instant until) {
    return SamlRefusal.unless(
        replays.firstSeen(new ReplayKey(realm, issuer, id), until.plus(MARGIN)), Reason.REPLAYED, "used before: " + id);
  }

  /** The time for {@link ResponseExpectation}. */
  public Instant completeSince() {
    return replays.completeSince();
  }
}
