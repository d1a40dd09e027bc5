package dev.gatehouse.perf.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JmhComparisonTest {

  @TempDir private Path folder;

  private Path results(String name, double rate, double nanos, String only) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        """
        [{"benchmark": "dev.gatehouse.perf.jmh.TokenBenchmark.issue", "mode": "thrpt", "params": {"algorithm": "ES256"},
          "primaryMetric": {"score": %s, "scoreUnit": "ops/s"}, "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 1000.4}}},
         {"benchmark": "dev.gatehouse.perf.jmh.GatewayBenchmark.requestHead", "mode": "avgt",
          "primaryMetric": {"score": %s, "scoreUnit": "ns/op"}, "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 480}}},
         {"benchmark": "dev.gatehouse.perf.jmh.GatewayBenchmark.%s", "mode": "avgt",
          "primaryMetric": {"score": 1, "scoreUnit": "ns/op"}, "secondaryMetrics": {}}]
        """
            .formatted(rate, nanos, only));
  }

  @Test
  void speedsAreComparedPairByPair() throws IOException {
    JmhComparison comparison = new JmhComparison();
    // The machine halves its speed between the pairs.
    comparison.add(results("own-0", 2_200, 500, "newer"), results("other-0", 2_000, 400, "older"));
    comparison.add(results("own-1", 1_100, 1_000, "newer"), results("other-1", 1_000, 800, "older"));
    assertThat(comparison.markdown())
        .contains("| TokenBenchmark.issue algorithm=ES256 | 2 | 1,650 ops/s | 1,500 ops/s | 1.100 | 1.100 to 1.100 | 1,000 | 1,000 |")
        .as("fewer nanoseconds are faster")
        .contains("| GatewayBenchmark.requestHead | 2 | 750 ns/op | 600 ns/op | 0.800 | 0.800 to 0.800 | 480 | 480 |")
        .contains("In one of both builds only: GatewayBenchmark.newer, GatewayBenchmark.older.");
  }
}
