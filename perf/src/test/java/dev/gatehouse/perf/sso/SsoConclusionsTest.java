package dev.gatehouse.perf.sso;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

class SsoConclusionsTest {

  /** One second, one CPU second. */
  private static Iteration iteration(String server, String row, Phase phase, long operations) {
    List<Iteration.Step> steps = List.of(new Iteration.Step(row, operations, 0, 1, 1, 2, 2, 3));
    return new Iteration(server, row, phase, 1, 1, operations, steps, List.of(new Iteration.Cost(server, 1, 100)), false);
  }

  private static String conclusions(String key, long ours, long bare) {
    return new SsoConclusions(
            List.of(
                iteration("Gatehouse", key, Phase.WARM_UP, 100),
                iteration("Gatehouse", key, Phase.MEASUREMENT, ours),
                iteration(BareSignature.name(key), BareSignature.ROW, Phase.MEASUREMENT, bare)))
        .markdown();
  }

  @Test
  void responsesHaveTheirTargets() {
    assertThat(conclusions("rsa-2048", 2_160, 4_000))
        .contains("| Gatehouse, rsa-2048, of the bare signature rate | 54 % | at least 60 %, aim 70 % |")
        .contains("| Gatehouse, rsa-2048, from start to 80 % of its steady rate | not reached | at most 15 s |");
    assertThat(conclusions("p-256", 4_681, 20_000))
        .contains("| Gatehouse, p-256, per CPU second | 4,681 | at least 5,500 a CPU second, aim 8,000 a CPU second |");
  }
}
