package dev.gatehouse.common.realm.inuse;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.assertj.core.api.Assertions.assertThat;


class FileStatesTest {

  @TempDir Path folder;
  private final AtomicInteger reads = new AtomicInteger();
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("demo.yaml"), "one");
  }

  @Test
  void contentsAreNotReadAgainOnceTheirFilesAreUnchangedForAWhile() {
    FileStates states = new FileStates(this::read, Duration.ofMillis(100), InstantSource.system());
    List<Path> files = List.of(file, folder.resolve("missing.yaml"));
    String first = states.of(files);
    contentsAreUnread(states, files);
    assertThat(states.of(files)).isEqualTo(first);
  }

  @Test
  void aChangeOfSameLengthAndTimeIsNoticed() throws Exception {
    FileStates states = new FileStates(this::read, Duration.ofMillis(100), InstantSource.system());
    FileTime modified = Files.getLastModifiedTime(file);
    contentsAreUnread(states, List.of(file));
    String before = states.of(List.of(file));
    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, modified);
    assertThat(states.of(List.of(file))).isNotEqualTo(before);
  }

  @Test
  void filesThatAppearAndVanishAreNoticed() throws Exception {
    FileStates states = new FileStates(this::read, Duration.ofMillis(100), InstantSource.system());
    contentsAreUnread(states, List.of(file));
    String before = states.of(List.of(file));
    Files.delete(file);
    String without = states.of(List.of(file));
    assertThat(without).isNotEqualTo(before);
    Files.writeString(file, "one");
    assertThat(states.of(List.of(file))).isEqualTo(before);
  }

  @Test
  void aFileThatHasJustChangedIsReadAtEachLook() {
    FileStates states = new FileStates(this::read, Duration.ofHours(1), InstantSource.system());
    for (int i = 1; i <= 5; i++) {
      states.of(List.of(file));
      assertThat(reads).hasValue(i);
    }
  }

  private void contentsAreUnread(FileStates states, List<Path> files) {
    Eventually.holds(
        () -> {
          int before = reads.get();
          states.of(files);
          return reads.get() == before;
        });
  }

  private String read(List<Path> files) {
    reads.incrementAndGet();
    NamedFiles contents = new NamedFiles();
    files.forEach(contents::read);
    return contents.state();
  }
}
