package dev.gatehouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every cache is maintained by the threads that use it (decision 633). Another wakes a thread of the common pool every few readings. */
class CachesTest {

  private static final Pattern CACHE = Pattern.compile("Caffeine\\.newBuilder\\(\\)");
  private static final Pattern BY_CALLERS = Pattern.compile("\\.executor\\(Runnable::run\\)");

  @Test
  void everyCacheIsMaintainedByItsCallers() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module : List.of("common", "sp", "idp", "gateway")) {
      try (Stream<Path> all = Files.walk(Path.of("..", module, "src/main/java"))) {
        all.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
      }
    }
    int caches = 0;
    List<Path> others = new ArrayList<>();
    for (Path file : files) {
      String source = Files.readString(file);
      long found = CACHE.matcher(source).results().count();
      caches += (int) found;
      if (found != BY_CALLERS.matcher(source).results().count()) {
        others.add(file);
      }
    }
    assertThat(caches).isGreaterThan(25);
    assertThat(others).isEmpty();
  }
}
