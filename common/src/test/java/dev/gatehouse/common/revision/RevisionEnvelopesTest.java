package dev.gatehouse.common.revision;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.snapshot.LocalSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The copy of a revision on the own disk, as it was recorded. */
class RevisionEnvelopesTest {

  @Test
  void aRevisionIsTheNumberOfItsFilesThenEachWithItsPath() throws IOException {
    SortedMap<String, FileTree.File> files = new TreeMap<>();
    files.put("realms/demo.yaml", new FileTree.File("idp: {}\n".getBytes(UTF_8), false));
    files.put("secrets/LDAP_PASSWORD", new FileTree.File("hunter22".getBytes(UTF_8), true));
    FileTree tree = new FileTree(files);
    new RecordedEnvelope("snapshot-revision")
        .isKept(
            LocalRevision.bytes(tree), bytes -> read(LocalRevision.held(new LocalSnapshot.Kept(7, bytes))),
            List.of(7L, Map.of("realms/demo.yaml", "idp: {}\n false", "secrets/LDAP_PASSWORD", "hunter22 true")));
  }

  private static List<Object> read(LocalRevision.Held held) {
    Map<String, String> files = new TreeMap<>();
    held.tree().files().forEach((path, file) -> files.put(path, new String(file.content(), UTF_8) + " " + file.isSecret()));
    return List.of(held.number(), files);
  }
}
