package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.server.GatehouseNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredTest {

  @TempDir private Path folder;

  private void write(String file, int bytes) throws IOException {
    Path path = folder.resolve("node").resolve(file);
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    Files.write(path, new byte[bytes]);
  }

  @Test
  void logsAreApartFromStores() throws IOException {
    write("data/rocksdb/000004.log", 1);
    write("data/rocksdb/000007.sst", 2);
    write("data/h2/gatehouse.mv.db", 4);
    write("data/audit/audit.jsonl", 8);
    write("data/audit/index/2026-11-28_1-90685.part", 16);
    write("data/decisions/2026-11-28.jsonl", 32);
    write("data/refusals/1.jsonl", 64);
    write("access.log", 128);
    write("access.log.1", 256);
    write("data/keys/bench/ring", 512);
    write("data/.space-reserve", 1024);
    write("realms/bench.yaml", 2048);
    assertThat(Stored.bytes(new GatehouseNode.Configured("node", folder, 8080, 8081)))
        .isEqualTo(
            Map.of(
                Stored.ROCKSDB, 1L + 2, Stored.DATABASE, 4L, Stored.LOGS, 8L + 16 + 32 + 64 + 128 + 256, Stored.OTHER, 512L + 1024 + 2048));
  }
}
