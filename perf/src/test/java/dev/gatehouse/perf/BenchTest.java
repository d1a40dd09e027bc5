package dev.gatehouse.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class BenchTest {

  /** picocli formats descriptions as {@link String#format}: a bare percent sign would print a warning before each help. */
  @Test
  void everyDescriptionCanBeFormatted() {
    List<String> lines = new ArrayList<>();
    collect(new CommandLine(Bench.class).getCommandSpec(), lines);
    assertThat(lines).hasSizeGreaterThan(100);
    for (String line : lines) {
      assertThatCode(() -> String.format(line)).as(line).doesNotThrowAnyException();
    }
  }

  private static void collect(CommandSpec command, List<String> lines) {
    lines.addAll(List.of(command.usageMessage().description()));
    command.options().forEach(option -> lines.addAll(List.of(option.description())));
    command.positionalParameters().forEach(parameter -> lines.addAll(List.of(parameter.description())));
    command.subcommands().values().forEach(each -> collect(each.getCommandSpec(), lines));
  }
}
