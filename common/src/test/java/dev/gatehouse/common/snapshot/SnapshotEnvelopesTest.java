package dev.gatehouse.common.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.common.snapshot.LocalSnapshot.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The signed snapshot on disk, with which the program of another version starts while the database is away, as it was recorded. */
class SnapshotEnvelopesTest {

  @TempDir private Path folder;

  private LocalSnapshot snapshot(String name) {
    return new LocalSnapshot(folder.resolve(name), RecordedEnvelope.key("snapshot"), "deployment");
  }

  @Test
  void itsFilesAreDeploymentThenVersionThenSealedContent() throws IOException {
    LocalSnapshot written = snapshot("written");
    written.begin(3, "record".getBytes(UTF_8));
    written.keep(Part.REVISION, 7, "revision".getBytes(UTF_8));
    TreeMap<String, String> files = new TreeMap<>();
    for (String name : List.of("installation", "revision", "seen")) {
      files.put(name, HexFormat.of().formatHex(Files.readAllBytes(folder.resolve("written").resolve(name))));
    }
    String text = files.entrySet().stream().map(file -> file.getKey() + " " + file.getValue()).collect(Collectors.joining("\n"));
    new RecordedEnvelope("snapshot").isKept(text, this::read, List.of(3L, "record", 7L, "revision"));
  }

  private List<Object> read(String text) {
    LocalSnapshot snapshot = snapshot("recorded");
    try {
      Path recorded = Files.createDirectories(folder.resolve("recorded"));
      for (String line : text.split("\n")) {
        String[] file = line.split(" ");
        Files.write(recorded.resolve(file[0]), HexFormat.of().parseHex(file[1]));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    LocalSnapshot.Kept installation = snapshot.read(Part.INSTALLATION).orElseThrow();
    LocalSnapshot.Kept revision = snapshot.read(Part.REVISION).orElseThrow();
    return Arrays.asList(
        installation.version(), new String(installation.content(), UTF_8), revision.version(), new String(revision.content(), UTF_8));
  }

  /** Versions are noted by the places of the parts: their order and beginning are a format. */
  @Test
  void partsKeepTheirPlaces() throws IOException {
    String order = Arrays.stream(Part.values()).map(Part::name).collect(Collectors.joining("\n"));
    new RecordedEnvelope("snapshot-parts").isKept(order, text -> order.startsWith(text), true);
  }
}
