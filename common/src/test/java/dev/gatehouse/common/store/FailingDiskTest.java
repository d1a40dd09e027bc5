package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.JavaProcess;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Temporary disk errors after which RocksDB does not recover: health reports them until the node is restarted. */
@Timeout(240)
class FailingDiskTest {

  @TempDir Path data;

  @Test
  void saysThatANewStartHelpsAndTheNextStartHasWhatWasAcknowledged() throws Exception {
    Process process = JavaProcess.of(FailingDiskNode.class, data.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Map<String, String> said = new TreeMap<>();
    try (InputStream out = process.getInputStream()) {
      new String(out.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("=", 2))
          .filter(parts -> parts.length == 2)
          .forEach(parts -> said.put(parts[0], parts[1]));
    } finally {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(said).containsEntry("before", "");
    assertThat(said.get("meanwhile")).contains("RocksDB cannot write", "File too large");
    // A later RocksDB may recover by itself: then there is no problem, and writes succeed.
    String afterwards = said.getOrDefault("afterwards", "(nothing was printed)");
    assertThat(said).containsEntry("writes", afterwards.isEmpty() ? "taken" : "refused");
    if (!afterwards.isEmpty()) {
      assertThat(afterwards).contains("The disk can be written again", "restart the node");
    }
    try (RocksStores stores = new RocksStores(data, InstantSource.system())) {
      assertThat(stores.problem()).isEmpty();
      assertThat(stores.singleUse("codes", new TextCodec()).peek("code0")).isPresent();
    }
  }
}
