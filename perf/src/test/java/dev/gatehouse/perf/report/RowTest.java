package dev.gatehouse.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.report.Row.Length;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowTest {

  private static Row row(String full, String quick) {
    return new Row("one", "One", "saml", 4, Length.of(1, full), List.of(Length.of(1, quick)), Map.of(), List.of());
  }

  /** Otherwise a quick run of two rounds counts the first one, which is cold. */
  @Test
  void asManyRoundsCountAsItsOptionsSay() {
    Row row = row("saml --rounds 6 --counted 5", "saml --rounds 2 --counted 1");
    assertThat(row.counted(false)).isEqualTo(5);
    assertThat(row.counted(true)).isEqualTo(1);
    assertThat(row("directory --rounds 7", "directory").counted(true)).isEqualTo(4);
  }
}
