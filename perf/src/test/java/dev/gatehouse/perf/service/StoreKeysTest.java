package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.perf.server.NodeMetrics;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class StoreKeysTest {

  @Test
  void marksAreApart() throws IOException {
    String metrics =
        """
        # HELP gatehouse_store_keys Estimated number of keys of each embedded store
        # TYPE gatehouse_store_keys gauge
        gatehouse_store_keys{store="default"} 2.0
        gatehouse_store_keys{store="replay"} 1.2345E7
        gatehouse_store_keys{store="sessions.app"} 300.0
        gatehouse_store_keys{store="sessions.sp-logout-marks"} 40.0
        gatehouse_store_bytes 123456.0
        """;
    StoreKeys keys = StoreKeys.of(new NodeMetrics(metrics));
    assertThat(keys.ending()).isEqualTo(302);
    assertThat(keys.marks()).isEqualTo(12_345_040);
  }

  @Test
  void aNodeWithoutThemIsNoNodeWithoutKeys() {
    assertThatThrownBy(() -> StoreKeys.of(new NodeMetrics("gatehouse_store_bytes 123456.0\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("gatehouse.store.keys");
  }
}
