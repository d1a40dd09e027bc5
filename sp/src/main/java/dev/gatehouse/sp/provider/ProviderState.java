package dev.gatehouse.sp.provider;

import dev.gatehouse.common.jose.PublicKeys;
import java.time.Instant;
import java.util.Optional;

/** The current knowledge about a provider. */
public sealed interface ProviderState {

  /**
   * The provider is in use.
   *
   * @param keys the same object while the keys do not change
   * @param fetchedAt the time of the last complete fetch
   * @param lastProblem why the last fetch failed, while the earlier state remains in use
   */
  record Usable(ProviderMetadata metadata, PublicKeys keys, Instant fetchedAt, Optional<String> lastProblem)
      implements ProviderState {}

  /** The provider was never fetched, or too long ago. */
  record Unusable(String problem) implements ProviderState {
    /** The state at start, until the first fetch. */
    public static final Unusable NOT_ASKED_YET = new Unusable("it has not been asked yet");
  }
}
