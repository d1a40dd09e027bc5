package dev.gatehouse.gateway.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.traffic.DirectMemoryPlan.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Direct memory is divided so that nothing is promised twice, or the node says what would fit. */
class DirectMemoryPlanTest {

  private static final long MB = 1L << 20;

  private static DirectMemoryPlan fits(long most, long cache, Optional<Long> buffers) {
    Outcome outcome = DirectMemoryPlan.of(most, cache, buffers);
    assertThat(outcome).isInstanceOf(Outcome.Fits.class);
    DirectMemoryPlan plan = ((Outcome.Fits) outcome).plan();
    assertThat(plan.cacheBodies() + plan.buffers()).isLessThanOrEqualTo(most - most / 8);
    assertThat(plan.cacheBodies()).isGreaterThanOrEqualTo(cache);
    return plan;
  }

  @Test
  void theUsualOnAUsualHeap() {
    assertThat(fits(512 * MB, 64 * MB, Optional.empty())).isEqualTo(new DirectMemoryPlan(512 * MB, 128 * MB, 320 * MB));
    assertThat(fits(128 * MB, 8 * MB, Optional.empty())).isEqualTo(new DirectMemoryPlan(128 * MB, 16 * MB, 96 * MB));
  }

  @Test
  void aLargeCacheLeavesLessForWhatWasEvicted() {
    DirectMemoryPlan plan = fits(512 * MB, 400 * MB, Optional.empty());
    assertThat(plan.buffers()).isGreaterThanOrEqualTo(16 * MB);
  }

  /** docs/explanation/sizing.md#a-small-node. */
  @Test
  void aSmallNodeHasRoomForASmallCacheOnly() {
    assertThat(fits(48 * MB, 8 * MB, Optional.empty())).isEqualTo(new DirectMemoryPlan(48 * MB, 16 * MB, 24 * MB));
    assertThat(DirectMemoryPlan.of(48 * MB, 64 * MB, Optional.empty())).isInstanceOf(Outcome.TooLittle.class);
  }

  @Test
  void whatIsConfiguredIsTaken() {
    assertThat(fits(512 * MB, 64 * MB, Optional.of(200 * MB)).buffers()).isEqualTo(200 * MB);
    assertThat(fits(512 * MB, 64 * MB, Optional.of(384 * MB))).isEqualTo(new DirectMemoryPlan(512 * MB, 64 * MB, 384 * MB));
  }

  @Test
  void whatDoesNotFitIsSaidWithAWayOut() {
    assertThat(DirectMemoryPlan.of(512 * MB, 512 * MB, Optional.empty()))
        .isEqualTo(
            new Outcome.TooLittle(
                "gatehouse.yaml: cache.memory (512 MB) and the buffers of connections (at least 16 MB) do not fit into the direct"
                    + " memory of 512 MB, of which 64 MB stay free — write less, or start with"
                    + " GATEHOUSE_JAVA_OPTS=-XX:MaxDirectMemorySize=740m"));
    assertThat(DirectMemoryPlan.of(512 * MB, 64 * MB, Optional.of(385 * MB))).isInstanceOf(Outcome.TooLittle.class);
  }

  @Test
  void theJvmSaysHowMuchThereIs() {
    assertThat(DirectMemoryPlan.available()).isPositive();
  }
}
