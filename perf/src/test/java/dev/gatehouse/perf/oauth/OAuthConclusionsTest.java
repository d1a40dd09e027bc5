package dev.gatehouse.perf.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OAuthConclusionsTest {

  @Test
  void saysWhatWasReachedBesideWhatWasWanted() {
    String md = conclusions(iteration("Gatehouse", Phase.MEASUREMENT, 3000), iteration("Keycloak", Phase.MEASUREMENT, 400));

    assertThat(md).contains("| client credentials, RS256 JWT | 3,000 |  | 7.5x | 3x | 3,000 | 580 |");
    assertThat(md).contains("Client credentials by RS256: 75 % of the bare signature rate; wanted: 75 %.");
    assertThat(md).contains("1,000 refresh tokens that wait take 250 bytes of heap each, and 700 on disk");
  }

  @Test
  void loginsHaveTheirTargets() {
    String word = Flow.PASSWORD.word();
    String md = conclusions(iteration("Gatehouse", word, Phase.MEASUREMENT, 2000), iteration("Keycloak", word, Phase.MEASUREMENT, 400));

    assertThat(md)
        .contains("| resource owner password, ES256 | 2,000 | at most 0.45 ms, aim 0.35 ms; is 0.5 ms | 5.0x | at least 5 x, aim 8 x |");
  }

  @Test
  void warmUpCountsForNothing() {
    Iteration cold = iteration("Gatehouse", Phase.WARM_UP, 1);

    assertThat(conclusions(cold, iteration("Gatehouse", Phase.MEASUREMENT, 3000)))
        .contains("| client credentials, RS256 JWT | 3,000 |");
  }

  private static Iteration iteration(String server, Phase phase, long operations) {
    return iteration(server, Flow.CLIENT_CREDENTIALS_RS256.word(), phase, operations);
  }

  /** One second, one CPU second. */
  private static Iteration iteration(String server, String row, Phase phase, long operations) {
    List<Iteration.Step> steps = List.of(new Iteration.Step(row, operations, 0, 1, 1, 2, 2, 3));
    return new Iteration(server, row, phase, 1, 1, operations, steps, List.of(new Iteration.Cost(server, 1, 100)), false);
  }

  private static String conclusions(Iteration... iterations) {
    List<Iteration> all = new ArrayList<>(List.of(iterations));
    all.add(iteration(BareSignature.name("rsa-2048"), BareSignature.ROW, Phase.MEASUREMENT, 4000));
    return new OAuthConclusions(all, List.of(new RefreshMemory(1000, 250_000, 700_000))).markdown();
  }
}
