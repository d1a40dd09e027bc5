package dev.gatehouse.perf.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeCoresTest {

  private static final List<String> COMMAND = List.of("./gatehouse", "run");

  @Test
  void nodesHaveAllCoresUnlessSomeAreNamed() {
    assertThat(NodeCores.of(COMMAND, Map.of())).isEqualTo(COMMAND);
    assertThat(NodeCores.of(COMMAND, Map.of(NodeCores.VARIABLE, "0"))).containsExactly("taskset", "--cpu-list", "0", "./gatehouse", "run");
  }
}
