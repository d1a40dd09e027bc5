package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages that name classes name those that are there. */
class NamedTypesTest {

  private static final List<String> MODULES = List.of("common", "sp", "idp", "gateway", "perf");
  private static final Pattern FILE = Pattern.compile("(?<![\\w-])([A-Z]\\w+)\\.java\\b");

  /** Stands for a name in file names of {@code CONTRIBUTING.md}. */
  private static final String PLACEHOLDER = "NAME";

  private static final Pattern TYPE = Pattern.compile("[A-Z]\\w*[a-z]\\w*");

  @Test
  void everySourceFileOfTheContributingPageIsThere() throws IOException {
    String page = Files.readString(Path.of("../CONTRIBUTING.md"));
    List<String> named = FILE.matcher(page).results().map(found -> found.group(1)).filter(name -> !name.contains(PLACEHOLDER)).toList();
    assertThat(named).hasSizeGreaterThan(15);
    assertThat(types()).containsAll(named);
  }

  @Test
  void everyPartThatWeWroteOurselvesIsThere() throws IOException {
    List<String> named =
        Files.readAllLines(Path.of("../docs/explanation/what-we-wrote-ourselves.md")).stream()
            .filter(line -> line.startsWith("|"))
            .flatMap(line -> ReferenceTable.codes(line.split("\\|", -1)[1]))
            .filter(code -> TYPE.matcher(code).matches())
            .toList();
    assertThat(named).hasSizeGreaterThan(5);
    assertThat(types()).containsAll(named);
  }

  private static Set<String> types() throws IOException {
    Set<String> types = new TreeSet<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src"))) {
        files.map(Path::toString).filter(file -> file.endsWith(".java")).map(MainSources::type).forEach(types::add);
      }
    }
    return types;
  }
}
