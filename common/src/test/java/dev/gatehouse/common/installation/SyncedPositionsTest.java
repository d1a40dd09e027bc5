package dev.gatehouse.common.installation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.disk.ForcedFiles;
import dev.gatehouse.common.installation.SyncedPositions.Reached;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncedPositionsTest {

  @TempDir Path keys;

  @Test
  void keepsTheLatest() throws IOException {
    assertThat(new SyncedPositions(keys).read()).isEmpty();
    for (int i = 1; i < 5; i++) {
      new SyncedPositions(keys).write(new Reached(i, 10L * i));
      assertThat(new SyncedPositions(keys).read()).contains(new Reached(i, 10L * i));
    }
  }

  @Test
  void keepsTheOneBeforeWhereTheLatestWasWrittenInPart() throws IOException {
    new SyncedPositions(keys).write(new Reached(1, 1));
    new SyncedPositions(keys).write(new Reached(2, 2));
    byte[] bytes = Files.readAllBytes(keys.resolve("positions"));
    // The second write took the first slot.
    bytes[10] ^= 1;
    Files.write(keys.resolve("positions"), bytes);
    assertThat(new SyncedPositions(keys).read()).contains(new Reached(1, 1));
    bytes[70] ^= 1;
    Files.write(keys.resolve("positions"), bytes);
    assertThat(new SyncedPositions(keys).read()).isEmpty();
  }

  @Test
  void forgetsOnDisk() throws IOException {
    SyncedPositions positions = new SyncedPositions(keys);
    positions.write(new Reached(5, 7));
    try (ForcedFiles forced = new ForcedFiles()) {
      positions.forget(Set.of(StoreName.ROCKSDB));
      assertThat(forced.paths()).contains(keys.resolve("positions").toString());
      positions.clear();
      assertThat(forced.paths()).endsWith(keys.toString());
    }
    assertThat(new SyncedPositions(keys).read()).isEmpty();
  }
}
