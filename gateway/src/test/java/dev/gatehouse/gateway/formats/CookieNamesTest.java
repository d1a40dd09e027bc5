package dev.gatehouse.gateway.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.envelope.RecordedEnvelope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The names of our cookies, as they were recorded: browsers bring those that nodes of the former version gave them. */
class CookieNamesTest {

  private static final Pattern NAME = Pattern.compile("\"(gh_[a-z_]+\\.?)\"");

  private static Stream<String> named(Path source) {
    try {
      return NAME.matcher(Files.readString(source)).results().map(found -> found.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void namesAreKept() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (String module : List.of("common", "sp", "idp", "gateway")) {
      try (Stream<Path> sources = Files.walk(Path.of("..", module, "src/main/java"))) {
        sources.filter(source -> source.toString().endsWith(".java")).flatMap(CookieNamesTest::named).forEach(names::add);
      }
    }
    assertThat(names).contains("gh_app", "gh_idp.", "gh_admin");
    new RecordedEnvelope("cookie-names").isKept(String.join("\n", names), text -> names.containsAll(List.of(text.split("\n"))), true);
  }
}
