package dev.gatehouse.perf.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {

  @Test
  void whatIsNeitherIdleNorWaitsForADiskIsBusy() {
    ProcessorTime before = ProcessorTime.of("cpu  1000 10 200 5000 100 1 2 3 400 0");
    ProcessorTime after = ProcessorTime.of("cpu  1050 10 215 5025 105 1 5 5 450 0");

    assertThat(after.busySince(before)).isEqualTo(0.7, within(1e-9));
    assertThat(before.busySince(before)).isEqualTo(1);
  }

  @Test
  void thisMachineHasSomeTime() throws Exception {
    ProcessorTime now = ProcessorTime.now();

    assertThat(now.total()).isGreaterThan(now.idle()).isPositive();
  }
}
