package dev.gatehouse.sp.provider;

import dev.gatehouse.common.jose.PublicKeys;
import java.time.Instant;
import java.util.Optional;

/** What is known of a provider now. */
public sealed interface ProviderState {

  /**
   * In use.
   *
   * @param keys the same object for as long as they are the same keys
   * @param fetchedAt when it was last complete
   * @param lastProblem why the last look failed, while what was known before serves on
   */
  record Usable(ProviderMetadata metadata, PublicKeys keys, Instant fetchedAt, Optional<String> lastProblem)
      implements ProviderState {}

  /** Never seen, or too long ago. */
  record Unusable(String problem) implements ProviderState {
    /** The state at start, until the first look. */
    public static final Unusable NOT_ASKED_YET = new Unusable("it has not been asked yet");
  }
}
