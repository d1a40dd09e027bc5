package dev.gatehouse.common.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.snapshot.LocalSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The copy of the keys in the snapshot on disk, from which a node of another version starts while PostgreSQL is away. */
class KeyEnvelopesTest {

  private static final Path FILE = Path.of("realms/office/signing.json");

  @TempDir private Path folder;
  private final SealingKey master = RecordedEnvelope.key("keys");

  /** One key, as this layout was when it was recorded. */
  private byte[] copy() throws IOException {
    byte[] sealed = master.seal("a key".getBytes(UTF_8), "key file", FILE.toString());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(1);
      out.writeUTF(FILE.toString());
      out.writeLong(4);
      out.writeUTF(TestTime.START.toString());
      out.writeInt(sealed.length);
      out.write(sealed);
    }
    return bytes.toByteArray();
  }

  @Test
  void keysAreTheirPathThenVersionThenTimeThenTheSealedFile() throws IOException {
    new RecordedEnvelope("keys-copy").isKept(copy(), this::read, "a key");
  }

  /** Opens the keys as a node does that starts without the database. It writes the copy again, in the same bytes. */
  private String read(byte[] recorded) {
    LocalSnapshot snapshot = new LocalSnapshot(folder.resolve(HexFormat.of().formatHex(recorded, 0, 8)), master, "deployment");
    snapshot.keep(LocalSnapshot.Part.KEYS, 5, recorded);
    try (Database unused = Database.inMemory()) {
      DatabaseKeyPlace place = new DatabaseKeyPlace(unused, master, new TestTime(), Optional.of(snapshot), true);
      assertThat(snapshot.read(LocalSnapshot.Part.KEYS).orElseThrow().content()).as("written again").isEqualTo(recorded);
      return new String(place.read(FILE), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
