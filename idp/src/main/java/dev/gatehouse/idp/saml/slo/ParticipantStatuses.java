package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What participants of running logouts have said in the end. Each outcome is a value that is written once, so that parallel
 * answers need no lock and any node may take them.
 */
public final class ParticipantStatuses {

  private static final String PREFIX = "receipt.";

  private final SingleUseStore<ParticipantStatus> store;
  private final InstantSource clock;

  public ParticipantStatuses(Stores stores, InstantSource clock) {
    this.store = stores.ends().singleUse("idp-logout-outcomes", new JsonCodec<>(ParticipantStatus.class));
    this.clock = clock;
  }

  /** Names a participant of a logout; notices about it are kept under the same name. */
  static String key(String logout, int target) {
    return PREFIX + logout + "." + target;
  }

  /** For the back channel: an outcome that no other try follows. */
  public void heard(String key, LogoutDeliveryResult told) {
    if (!key.startsWith(PREFIX)) {
      return;
    }
    write(
        key,
        switch (told) {
          case LogoutDeliveryResult.Done done -> ParticipantStatus.TOLD;
          case LogoutDeliveryResult.Partial partial -> ParticipantStatus.FAILED;
          case LogoutDeliveryResult.Failed failed -> ParticipantStatus.FAILED;
          case LogoutDeliveryResult.Unreachable unreachable -> ParticipantStatus.UNREACHABLE;
          case LogoutDeliveryResult.Impossible impossible -> ParticipantStatus.UNREACHABLE;
        });
  }

  /** Writes it; false where another one came first, which stands. */
  boolean write(String key, ParticipantStatus outcome) {
    try {
      store.put(key, outcome, clock.instant().plus(RunningLogout.LIFE));
      return true;
    } catch (IllegalStateException e) {
      // Asked twice (the page was reloaded, or by both channels) and answered twice.
      return false;
    }
  }

  Optional<ParticipantStatus> find(String key) {
    return store.peek(key);
  }
}
