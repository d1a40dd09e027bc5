package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code CERTIFICATION.md} is correct: every row names tests, and every test that it names exists. */
final class CertificationTableTest {

  private static final Pattern PLAN = Pattern.compile("Plan `([^`]+)`, (\\d+) modules?\\.");
  private static final Pattern TESTS = Pattern.compile("`[A-Z]\\w+\\.\\w+`(, `[A-Z]\\w+\\.\\w+`)*");
  private static final Pattern NAME = Pattern.compile("`(\\w+)\\.(\\w+)`");

  /** The modules that are openly not met. A change here changes what we can be certified for. */
  private static final List<String> OPEN = List.of();

  private static final int ROWS = 308;

  private record Row(String plan, String module, String requires, String tests) {
    boolean isOpen() {
      return tests.startsWith("open: ");
    }
  }

  @Test
  void everyRowNamesTestsOrIsOpenAndKnown() throws IOException {
    List<Row> rows = rows();
    assertThat(rows).hasSize(ROWS);
    assertThat(rows).allSatisfy(row -> assertThat(row.requires()).as(row.module()).isNotBlank());
    assertThat(rows).filteredOn(Row::isOpen).extracting(Row::module).containsExactlyElementsOf(OPEN);
    assertThat(rows)
        .filteredOn(row -> !row.isOpen())
        .allSatisfy(row -> assertThat(row.tests()).as(row.module()).matches(TESTS));
  }

  @Test
  void everyTestThatIsNamedIsThere() throws IOException {
    Map<String, String> sources = sources();
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      Matcher names = NAME.matcher(row.isOpen() ? "" : row.tests());
      while (names.find()) {
        if (!isTest(sources.getOrDefault(names.group(1), ""), names.group(2))) {
          missing.add(row.module() + ": " + names.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Each plan has as many rows as it states, without duplicates. */
  @Test
  void everyPlanIsWhole() throws IOException {
    Map<String, List<String>> modules =
        rows().stream()
            .collect(
                Collectors.groupingBy(
                    Row::plan, LinkedHashMap::new, Collectors.mapping(Row::module, Collectors.toList())));
    Matcher plans = PLAN.matcher(text());
    int count = 0;
    while (plans.find()) {
      assertThat(modules.get(plans.group(1)))
          .as(plans.group(1))
          .hasSize(Integer.parseInt(plans.group(2)))
          .doesNotHaveDuplicates();
      count++;
    }
    assertThat(count).isEqualTo(modules.size()).isEqualTo(14);
  }

  private static String text() throws IOException {
    return Files.readString(Path.of("CERTIFICATION.md"));
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String plan = "";
    for (String line : text().lines().toList()) {
      Matcher begins = PLAN.matcher(line);
      if (begins.matches()) {
        plan = begins.group(1);
      } else if (line.startsWith("| `")) {
        String[] cells = line.substring(1).split("\\|", -1);
        assertThat(cells).as(line).hasSize(4);
        rows.add(new Row(plan, cells[0].strip().replace("`", ""), cells[1].strip(), cells[2].strip()));
      }
    }
    return rows;
  }

  /** Test classes of all modules by their simple names. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    for (String module : List.of("common", "sp", "idp", "gateway")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "test", "java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
          String name = file.getFileName().toString();
          sources.merge(name.substring(0, name.length() - ".java".length()), Files.readString(file), String::concat);
        }
      }
    }
    return sources;
  }

  /**
   * Returns whether the method exists with {@code @Test} or {@code @ParameterizedTest} before it, and is not disabled.
   */
  private static boolean isTest(String source, String method) {
    int at = source.indexOf("void " + method + "(");
    if (at < 0) {
      return false;
    }
    int start = Math.max(source.lastIndexOf("\n  }\n", at), source.lastIndexOf(";\n\n", at));
    String before = source.substring(Math.max(start, 0), at);
    return (before.contains("@Test") || before.contains("@ParameterizedTest")) && !before.contains("@Disabled");
  }
}
