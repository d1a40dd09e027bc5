package dev.gatehouse.perf.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {

  private static final NodeMetrics METRICS =
      new NodeMetrics(
          """
          # HELP gatehouse_store_memory Bytes of memory
          # TYPE gatehouse_store_memory gauge
          gatehouse_store_memory{part="block-cache"} 3.1457285E7
          gatehouse_store_memory{part="memtables"} 4096.0
          gatehouse_audit_queue 0.0
          """);

  @Test
  void aValueIsFoundByNameAndLabels() throws IOException {
    assertThat(METRICS.value("gatehouse_store_memory{part=\"block-cache\"}")).isEqualTo(31_457_285);
    assertThat(METRICS.value("gatehouse_store_memory{part=\"memtables\"}")).isEqualTo(4096);
    assertThat(METRICS.value("gatehouse_audit_queue")).isZero();
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertThatThrownBy(() -> METRICS.value("gatehouse_store_memory")).isInstanceOf(IOException.class).hasMessageContaining("no metric");
  }
}
