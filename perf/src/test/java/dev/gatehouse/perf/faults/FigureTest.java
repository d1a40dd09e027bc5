package dev.gatehouse.perf.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureTest {

  private static final Figure BROKEN = Figure.atMost(1000, "longest answer", 1000.5, "ms");

  @Test
  void aBoundIsKeptUpToItsValue() {
    assertThat(Figure.atMost(1000, "longest answer", 1000, "ms").kept()).isTrue();
    assertThat(BROKEN.kept()).isFalse();
    assertThat(Figure.atLeast(1, "logins", 0, "").kept()).isFalse();
    assertThat(Figure.holds("the node starts", true).kept()).isTrue();
    assertThat(Figure.holds("the node starts", false).kept()).isFalse();
    assertThat(Figure.reported("resident", 400, "MB").kept()).isTrue();
  }

  @Test
  void aFigureThatIsNotANumberKeepsNoBound() {
    assertThat(Figure.atMost(5, "recovered after", Double.NaN, "s").kept()).isFalse();
  }

  @Test
  void aCaseThatRunsAgainReplacesItsResultAndLeavesTheOthers(@TempDir Path folder) throws IOException {
    new FaultReport(folder).add(result("one", BROKEN));
    new FaultReport(folder).add(result("two", Figure.holds("lives", true)));
    new FaultReport(folder).add(result("one", Figure.atMost(1000, "longest answer", 12, "ms")));
    String markdown = Files.readString(folder.resolve("faults.md"));
    assertThat(markdown)
        .contains("## one")
        .contains("| longest answer | 12 ms | at most 1,000 | yes |")
        .contains("## two")
        .doesNotContain("**no**");
  }

  @Test
  void aCaseThatCouldNotBeCarriedOutIsNotKept() {
    assertThat(FaultResult.of(new Growth(), "abc", Instant.EPOCH, List.of(), "no slapd").kept()).isFalse();
  }

  private static FaultResult result(String name, Figure figure) {
    List<FaultResult.Line> lines =
        List.of(new FaultResult.Line(figure.what(), figure.measuredText(), figure.boundText(), figure.kept()));
    return new FaultResult(name, "Does it.", "abc", Instant.EPOCH.toString(), lines, figure.kept(), "");
  }
}
