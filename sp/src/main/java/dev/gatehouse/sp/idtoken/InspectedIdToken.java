package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import java.util.List;
import java.util.Optional;

/**
 * The results of all rules for one ID token.
 *
 * @param results in the order in which the rules run
 * @param token empty if it cannot be read
 */
public record InspectedIdToken(List<IdTokenResult> results, Optional<ReceivedJwt> token) {

  /** Returns whether all rules are satisfied. */
  public boolean isPassed() {
    return results.stream().allMatch(result -> result.refusal().isEmpty());
  }
}
