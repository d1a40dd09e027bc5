package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/explanation/testing.md} lists each class with tests that {@code ./gatehouse test} leaves out: nobody takes them for tests of each run. */
class LongTestsTest {

  private static final Path PAGE = Path.of("../docs/explanation/testing.md");
  private static final Pattern TAG = Pattern.compile("^ *@Tag\\((.*)\\)$", Pattern.MULTILINE);
  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\|.*");

  @Test
  void everyClassWithLongTestsIsListed() throws IOException {
    Set<String> tagged = new TreeSet<>();
    // Those that ./gatehouse longtest runs: gateway, and what it is built of.
    for (String module : List.of("common", "sp", "idp", "gateway")) {
      for (Path file : sources(module)) {
        Matcher tag = TAG.matcher(text(file));
        while (tag.find()) {
          assertThat(tag.group(1)).as(file.toString()).isEqualTo("\"long\"");
          tagged.add(file.getFileName().toString().replace(".java", ""));
        }
      }
    }
    assertThat(listed()).isEqualTo(tagged).isNotEmpty();
  }

  @Test
  void theBenchmarksHaveNoTags() throws IOException {
    assertThat(sources("perf")).isNotEmpty().noneMatch(file -> TAG.matcher(text(file)).find());
  }

  private static Set<String> listed() {
    Set<String> listed = new TreeSet<>();
    List<String> section =
        Page.of(PAGE).lines().stream()
            .dropWhile(line -> !line.equals("## Long tests"))
            .skip(1)
            .takeWhile(line -> !line.startsWith("## "))
            .toList();
    for (String line : section) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        listed.add(row.group(1));
      }
    }
    return listed;
  }

  private static List<Path> sources(String module) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("..", module, "src/test/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
