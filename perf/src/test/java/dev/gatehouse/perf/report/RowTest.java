package dev.gatehouse.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.report.Row.Length;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowTest {

  @Test
  void eachLengthSaysHowManyOfItsRoundsCount() {
    Length full = Length.of(7, "saml --rounds 6").counting(4);
    Length quick = Length.of(1, "saml --rounds 2").counting(1);
    Row row = new Row("one", "One", "saml", full, List.of(quick), Map.of(), List.of());
    assertThat(row.length(false).counted()).isEqualTo(4);
    assertThat(row.length(true).counted()).isEqualTo(1);
    assertThat(row.command(false)).as("what counts is no option of its own").isEqualTo("./gatehouse bench saml --rounds 6");
    assertThat(full.minutes()).isEqualTo(7);
    assertThat(Length.of(1, "saml").counted()).as("all that are measured").isZero();
  }
}
