package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.PlainSession;
import dev.gatehouse.common.store.ValueCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of ends that no server took. */
class DeliveredEndsTest {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));

  @RegisterExtension static final SharedValkey VALKEY = new SharedValkey();

  @TempDir private Path folder;

  /** A node of a newer version has changed it since, while nodes were replaced. */
  @Test
  void anEndOfASessionThatCannotBeReadWaits() throws IOException {
    SessionStore<PlainSession> newer = VALKEY.stores("ends", SEALING, InstantSource.system()).sessions("app", PlainSession.CODEC);
    Instant now = Instant.ofEpochMilli(InstantSource.system().millis());
    PlainSession session =
        new PlainSession(SessionToken.create(new Random(5)).id(), "demo", new PersonId("alice"), now, now.plusSeconds(600), Set.of("a"), 0);
    newer.create(session);
    Path file = Files.writeString(folder.resolve("ends"), "\ns:app " + session.id().value() + ".\n");

    deliver(file, new Older());
    assertThat(Files.readString(file)).contains(session.id().value());
    assertThat(newer.find(session.id())).contains(session);

    deliver(file, PlainSession.CODEC);
    assertThat(file).isEmptyFile();
    assertThat(newer.byIndex("a")).isEmpty();
  }

  /** Starts a node with that file, which ends again. */
  private static void deliver(Path file, ValueCodec<PlainSession> codec) {
    try (ValkeyStores stores =
        new ValkeyStores(
            VALKEY.server().config("ends", Acknowledge.LOCAL),
            new ValkeyStores.Node(SEALING, InstantSource.system(), new Random(), MetricFamilies.unpublished(), Optional.of(file)),
            probe -> Optional.empty())) {
      ((ValkeySessionStore<PlainSession>) stores.sessions("app", codec)).deliverEnds();
    }
  }

  private static final class Older implements ValueCodec<PlainSession> {
    @Override
    public byte[] encode(PlainSession session) {
      throw new UnsupportedOperationException();
    }

    @Override
    public PlainSession decode(byte[] bytes) {
      throw new IllegalArgumentException("a later version");
    }
  }
}
