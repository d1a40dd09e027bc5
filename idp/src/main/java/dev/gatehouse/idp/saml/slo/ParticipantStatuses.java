package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The final statuses of participants in running logouts. Each is a value that is written once, so that parallel answers
 * need no lock and any node may handle them.
 */
public final class ParticipantStatuses {

  private static final String PREFIX = "receipt.";

  private final SingleUseStore<ParticipantStatus> store;
  private final InstantSource clock;

  public ParticipantStatuses(Stores stores, InstantSource clock) {
    this.store = stores.ends().singleUse("idp-logout-outcomes", new JsonCodec<>(ParticipantStatus.class));
    this.clock = clock;
  }

  /** The key of a participant in a logout; notices for it are stored under the same key. */
  static String key(String logout, int target) {
    return PREFIX + logout + "." + target;
  }

  /** Called by the back channel with a final result, after which it does not try again. */
  public void heard(String key, LogoutDeliveryResult result) {
    if (!key.startsWith(PREFIX)) {
      return;
    }
    write(
        key,
        switch (result) {
          case LogoutDeliveryResult.Done done -> ParticipantStatus.LOGGED_OUT;
          case LogoutDeliveryResult.Partial partial -> ParticipantStatus.FAILED;
          case LogoutDeliveryResult.Failed failed -> ParticipantStatus.FAILED;
          case LogoutDeliveryResult.Unreachable unreachable -> ParticipantStatus.UNREACHABLE;
          case LogoutDeliveryResult.Impossible impossible -> ParticipantStatus.UNREACHABLE;
        });
  }

  /** Writes the status. Returns false if another one was written before, which remains. */
  boolean write(String key, ParticipantStatus outcome) {
    try {
      store.put(key, outcome, clock.instant().plus(RunningLogout.LIFE));
      return true;
    } catch (IllegalStateException e) {
      // The participant was asked twice (the page was reloaded, or both channels asked) and answered twice.
      return false;
    }
  }

  Optional<ParticipantStatus> find(String key) {
    return store.peek(key);
  }
}
