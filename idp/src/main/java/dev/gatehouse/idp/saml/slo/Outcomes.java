package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.logout.Told;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What participants of running logouts have said in the end. Each outcome is a value that is written once, so that parallel
 * answers need no lock and any node may take them.
 */
public final class Outcomes {

  private static final String PREFIX = "receipt.";

  private final SingleUseStore<Outcome> store;
  private final InstantSource clock;

  public Outcomes(Stores stores, InstantSource clock) {
    this.store = stores.ends().singleUse("idp-logout-outcomes", new JsonCodec<>(Outcome.class));
    this.clock = clock;
  }

  /** Names a participant of a logout; notices about it are kept under the same name. */
  static String key(String logout, int target) {
    return PREFIX + logout + "." + target;
  }

  /** For the back channel: an outcome that no other try follows. */
  public void heard(String key, Told told) {
    if (!key.startsWith(PREFIX)) {
      return;
    }
    write(
        key,
        switch (told) {
          case Told.Done done -> Outcome.TOLD;
          case Told.Partial partial -> Outcome.FAILED;
          case Told.Failed failed -> Outcome.FAILED;
          case Told.Unreachable unreachable -> Outcome.UNREACHABLE;
          case Told.Impossible impossible -> Outcome.UNREACHABLE;
        });
  }

  /** Writes it; false where another one came first, which stands. */
  boolean write(String key, Outcome outcome) {
    try {
      store.put(key, outcome, clock.instant().plus(RunningLogout.LIFE));
      return true;
    } catch (IllegalStateException e) {
      // Asked twice (the page was reloaded, or by both channels) and answered twice.
      return false;
    }
  }

  Optional<Outcome> find(String key) {
    return store.peek(key);
  }
}
