package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** {@code docs/reference/command-line.md} has a section for every command, with every option. */
class CommandLinePageTest {

  private static final String PAGE = "command-line.md";
  private static final Pattern HEADING = Pattern.compile("#{1,3} .*");
  private static final Pattern COMMAND = Pattern.compile("### `(gatehouse [a-z ]+)`");
  private static final Pattern OPTION = Pattern.compile("\\| `(--[a-z-]+)(?:=[^`]*)?` \\|.*");

  @Test
  void everyCommandIsThereWithItsOptions() {
    Map<String, Set<String>> declared = new LinkedHashMap<>();
    new CommandLine(ReferenceTable.type("dev.gatehouse.gateway.launch.GatehouseCommand"))
        .getSubcommands()
        .forEach((name, command) -> collect("gatehouse " + name, command, declared));
    assertThat(declared).hasSizeGreaterThan(15);
    assertThat(listed()).containsExactlyInAnyOrderEntriesOf(declared);
  }

  @Test
  void everyEnumIsListed() {
    ReferenceTable.assertEnumsAreListed(PAGE);
  }

  private static void collect(String path, CommandLine command, Map<String, Set<String>> into) {
    Set<String> options =
        command.getCommandSpec().options().stream()
            .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
            .map(OptionSpec::longestName)
            .collect(Collectors.toCollection(TreeSet::new));
    into.put(path, options);
    command.getSubcommands().forEach((name, below) -> collect(path + " " + name, below, into));
  }

  private static Map<String, Set<String>> listed() {
    Map<String, Set<String>> listed = new LinkedHashMap<>();
    List<Set<String>> current = new ArrayList<>();
    for (String line : ReferenceTable.lines(PAGE)) {
      Matcher command = COMMAND.matcher(line);
      Matcher option = OPTION.matcher(line);
      if (command.matches()) {
        current = List.of(new TreeSet<>());
        assertThat(listed.put(command.group(1), current.getFirst())).as(line + " stands twice").isNull();
      } else if (HEADING.matcher(line).matches()) {
        current = List.of();
      } else if (option.matches()) {
        assertThat(current).as(line + " stands below a command").isNotEmpty();
        current.getFirst().add(option.group(1));
      }
    }
    return listed;
  }
}
