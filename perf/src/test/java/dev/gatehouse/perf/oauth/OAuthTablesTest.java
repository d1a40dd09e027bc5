package dev.gatehouse.perf.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.load.BareSignature;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OAuthTablesTest {

  @Test
  void saysWhatWasReachedBesideWhatWasWanted() {
    String md =
        tables(window("Gatehouse", FlowWindow.STEADY, 3000), window("Keycloak", FlowWindow.STEADY, 400));

    assertThat(md).contains("| client credentials, RS256 JWT | 3,000 |  | 7.5x | 3x | 3,000 | 580 |");
    assertThat(md).contains("Client credentials by RS256: 75 % of the bare signature rate; wanted: 75 %.");
    assertThat(md).contains("1,000 refresh tokens that wait take 250 bytes of heap each, and 700 on disk");
  }

  @Test
  void warmUpCountsForNothing() {
    FlowWindow cold = window("Gatehouse", FlowWindow.WARM_UP, 1);

    assertThat(tables(cold, window("Gatehouse", FlowWindow.STEADY, 3000)))
        .contains("| client credentials, RS256 JWT | 3,000 |");
  }

  /** One second, one CPU second. */
  private static FlowWindow window(String server, String phase, long done) {
    List<FlowWindow.Cost> costs = List.of(new FlowWindow.Cost(server, 1));
    return new FlowWindow(server, Flow.CLIENT_CREDENTIALS_RS256.word(), phase, 1, done, 1, 2, costs);
  }

  private static String tables(FlowWindow... windows) {
    StringBuilder md = new StringBuilder();
    new OAuthTables(
            new OAuthBenchmark.Results(
                List.of(windows),
                List.of(new BareSignature.Result(BareSignature.name("rsa-2048"), 4000, 1, 1)),
                List.of(),
                Optional.of(new RefreshMemory.Result(1000, 250_000, 700_000)),
                List.of()))
        .append(md);
    return md.toString();
  }
}
