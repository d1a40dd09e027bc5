package dev.gatehouse.perf.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The patches for {@code --against-patch} fit the code. */
class PatchesTest {

  @Test
  void everyPatchApplies() throws Exception {
    Path home = Path.of("..").toRealPath();
    try (Stream<Path> files = Files.list(home.resolve("perf/patches"))) {
      List<Path> patches = files.filter(file -> file.toString().endsWith(".patch")).toList();
      assertThat(patches).isNotEmpty();
      for (Path patch : patches) {
        Commands.output(List.of("git", "-C", home.toString(), "apply", "--check", patch.toString()));
      }
    }
  }
}
