package dev.gatehouse.common.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.MailOutbox.Waiting;
import dev.gatehouse.common.db.MemoryMailOutbox;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.disk.SmallDisk;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.mail.TestMailServer.Received;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.SmtpConfig;
import dev.gatehouse.common.node.SmtpConfig.Security;
import dev.gatehouse.common.node.SpaceConfig;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.throttle.Turn;
import dev.gatehouse.common.throttle.Turns;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What administrators are told, and that they are told once. */
final class AdministratorNoticesTest {

  private static final Instant END = SamlFixtures.idpKey().certificate().getNotAfter().toInstant();

  @TempDir Path data;
  private final MemoryMailOutbox outbox = new MemoryMailOutbox();
  private final SealingKey sealing = SealingKey.inMemory(new SecureRandom());
  private MetadataState state = MetadataState.Unusable.NOT_READ_YET;

  /** The one partner. */
  private final class Partners implements PartnerRegistry {
    @Override
    public Optional<Partner> find(String realm, String entityId) {
      return all(realm).stream().findFirst();
    }

    @Override
    public List<Partner> all(String realm) {
      return List.of(new Partner(TestRealms.partner("https://app.example", "https://app.example", Map.of()), state));
    }

    @Override
    public Result<PartnerMetadata, SamlRefusal> metadata(String realm, String entityId) {
      throw new UnsupportedOperationException();
    }
  }

  private AdministratorNotices notices(TestTime time, SpaceWatch space) {
    Node.Listener listener = new Node.Listener(new InetSocketAddress("localhost", 0), Optional.empty());
    Node node =
        new Node(
            Set.of(), new Node.Listeners(List.of(), List.of(), listener, Optional.empty(), Optional.empty()), Node.Storage.VOLATILE,
            data, List.of(), new Node.AuditConfig(data, 1 << 20, Duration.ofDays(1)), 0, List.of());
    Directories none =
        realm -> {
          throw new AssertionError("nobody is looked up");
        };
    MailService.Subjects about = new MailService.Subjects(new FixedRealms(TestRealms.demo()), none, new Partners(), space, Turns.ALONE);
    return new AdministratorNotices(node, about, outbox, queue(time), time);
  }

  private MailQueue queue(TestTime time) {
    return new MailQueue(outbox, sealing, time, new SecureRandom());
  }

  /** Measures the disk now, without a wait for the watch. */
  private void afterTwoMinutes(SmallDisk disk, TestTime time) {
    try (SpaceWatch space = new SpaceWatch(Map.of("data", disk.directory()), new SpaceConfig(3 << 20, 1 << 20, 0))) {
      minutes(notices(time, space), time, 2);
    }
  }

  private List<String> kinds() {
    return outbox.due(Instant.MAX, 100).stream().map(Waiting::kind).toList();
  }

  private static void minutes(AdministratorNotices notices, TestTime time, int minutes) {
    for (int i = 0; i < minutes; i++) {
      time.advance(Duration.ofMinutes(1));
      notices.run();
    }
  }

  @Test
  void certificatesThatEndAreToldAtEachStepOnce() {
    PartnerMetadata metadata =
        new PartnerMetadata(
            "https://app.example", Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(
                new PartnerMetadata.IdpRole(List.of(SamlFixtures.idpKey().certificate()), false, List.of(), List.of(), List.of())),
            Optional.empty());
    state = new MetadataState.Usable(metadata, END, Optional.empty());
    TestTime time = new TestTime(END.minus(Duration.ofDays(40)));
    try (SpaceWatch space = new SpaceWatch(Map.of("data", data), new SpaceConfig(1, 1, 1))) {
      AdministratorNotices notices = notices(time, space);
      minutes(notices, time, 2);
      assertThat(kinds()).isEmpty();
      for (int days : new int[] {30, 7, 1, 0}) {
        time.advance(Duration.between(time.instant(), END.minus(Duration.ofDays(days))));
        minutes(notices, time, 3);
        minutes(notices(time, space), time, 2);
      }
    }
    assertThat(kinds()).as("a restart does not repeat them").containsOnly("certificateEnds").hasSize(4);
  }

  @Test
  void aClockThatIsSetBackDelaysNoNotice() {
    TestTime time = new TestTime();
    try (SpaceWatch space = new SpaceWatch(Map.of("data", data), new SpaceConfig(1, 1, 1))) {
      AdministratorNotices notices = notices(time, space);
      time.advance(Duration.ofDays(2));
      notices.run();
      time.advance(Duration.ofDays(-2));
      state = new MetadataState.Unusable("no answer");
      minutes(notices, time, 30);
      assertThat(kinds()).containsExactly("partnerFails");
    }
  }

  @Test
  void aPartnerThatFailsIsToldAfterTenMinutesAndAgainAfterItWorked() {
    TestTime time = new TestTime();
    try (SpaceWatch space = new SpaceWatch(Map.of("data", data), new SpaceConfig(1, 1, 1))) {
      AdministratorNotices notices = notices(time, space);
      minutes(notices, time, 20);
      state = new MetadataState.Unusable("no answer");
      minutes(notices, time, 10);
      assertThat(kinds()).isEmpty();
      minutes(notices, time, 20);
      assertThat(kinds()).containsExactly("partnerFails");
      state = MetadataState.Unusable.NOT_READ_YET;
      minutes(notices, time, 1);
      state = new MetadataState.Unusable("no answer");
      minutes(notices, time, 15);
      assertThat(kinds()).containsExactly("partnerFails", "partnerFails");
    }
  }

  @Test
  void aDiskThatFillsUpIsToldOnceAndAgainAfterThereWasSpace() throws IOException {
    TestTime time = new TestTime();
    try (SmallDisk disk = new SmallDisk(data.resolve("disk"), "16m");
        TestMailServer server = TestMailServer.plain()) {
      afterTwoMinutes(disk, time);
      assertThat(kinds()).isEmpty();
      Files.write(disk.directory().resolve("filler-1"), new byte[14 << 20]);
      afterTwoMinutes(disk, time);
      disk.fill();
      afterTwoMinutes(disk, time);
      assertThat(kinds()).as("once, also after a restart, and while it gets worse").containsExactly("diskFull");
      deliver(server, time);
      Received mail = server.received().getFirst();
      assertThat(mail.to()).containsExactly("ops@example.com");
      assertThat(mail.header("Subject")).isEqualTo("Gatehouse: a disk is almost full (1)");
      assertThat(mail.body()).contains("- data (" + disk.directory() + "): 2 MB free");
      disk.free();
      afterTwoMinutes(disk, time);
      disk.fill();
      afterTwoMinutes(disk, time);
      assertThat(kinds()).containsExactly("diskFull");
    }
  }

  private void deliver(TestMailServer server, TestTime time) {
    SmtpConfig smtp =
        new SmtpConfig(
            "localhost", server.port(), Security.NONE, List.of(), Optional.empty(), "no-reply@example.com", List.of("ops@example.com"));
    Directories none =
        realm -> {
          throw new AssertionError("nobody is looked up");
        };
    MailComposer composer = new MailComposer(new FixedRealms(TestRealms.demo()), none, smtp);
    new MailDelivery(outbox, queue(time), composer, new SmtpMailServer(smtp, time), new RecordingAuditLog(), time).run(Turn.ALONE);
  }

  /** As when the disk of the database is full: the notice is remembered, and its mail cannot be stored. */
  @Test
  void whatCannotBeQueuedIsToldLater() {
    TestTime time = new TestTime();
    state = new MetadataState.Unusable("no answer");
    try (SpaceWatch space = new SpaceWatch(Map.of("data", data), new SpaceConfig(1, 1, 1))) {
      AdministratorNotices notices = notices(time, space);
      outbox.refuse(true);
      minutes(notices, time, 15);
      assertThat(kinds()).isEmpty();
      outbox.refuse(false);
      minutes(notices, time, 2);
      assertThat(kinds()).containsExactly("partnerFails");
    }
  }
}
