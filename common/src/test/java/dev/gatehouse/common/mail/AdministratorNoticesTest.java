package dev.gatehouse.common.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.MailOutbox.Waiting;
import dev.gatehouse.common.db.MemoryMailOutbox;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
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
import java.net.InetSocketAddress;
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
    MailQueue queue = new MailQueue(outbox, SealingKey.inMemory(new SecureRandom()), time, new SecureRandom());
    return new AdministratorNotices(node, new FixedRealms(TestRealms.demo()), new Partners(), space, outbox, queue, time);
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
}
