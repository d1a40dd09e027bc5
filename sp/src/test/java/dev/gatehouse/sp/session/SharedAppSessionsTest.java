package dev.gatehouse.sp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sessions of two gateways that share a Valkey server. */
final class SharedAppSessionsTest {

  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final NameId NAME_ID = NameId.of("t-1", "urn:oasis:names:tc:SAML:2.0:nameid-format:transient");
  private static final AuditEvent.Context CONTEXT = AuditEvent.Context.node();
  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));

  private final TestTime time = new TestTime();
  private final FixedRealms realms =
      new FixedRealms(TestRealms.change(TestRealms.demo()).appSession(IDLE, Duration.ofHours(8)).realm());
  private final SecureRandom random = new SecureRandom();
  private final List<ValkeyStores> stores = new ArrayList<>();
  private ValkeyServer server;
  private AppSessions one;
  private AppSessions two;

  @BeforeEach
  void start() {
    server = ValkeyServer.start();
    one = node();
    two = node();
  }

  @AfterEach
  void stop() {
    stores.forEach(ValkeyStores::close);
    server.close();
  }

  private AppSessions node() {
    ValkeyStores shared =
        new ValkeyStores(
            server.config("apps", Acknowledge.LOCAL),
            new ValkeyStores.Node(SEALING, time, new Random(), MetricFamilies.unpublished()),
            probe -> Optional.empty());
    stores.add(shared);
    return new AppSessions(shared, realms, new RecordingAuditLog(), time);
  }

  private SessionToken open() {
    SessionToken token = SessionToken.create(random);
    one.open(
        new AppSession(
            token.id(), "demo",
            new Lifetime(time.instant(), time.instant().plus(IDLE), time.instant().plus(Duration.ofHours(8))),
            new LocalAccount(
                AppSession.personId(TestRealms.IDP_ENTITY, "alice"), "alice", List.of("employee"), List.of(),
                Map.of("mail", List.of("alice@example.org"))),
            new AppSession.Login(TestRealms.IDP_ENTITY, NAME_ID, Optional.of("_1"), Optional.empty(), time.instant())));
    return token;
  }

  @Test
  void anyNodeServesAndEachKeepsInMemoryWhatItRead() throws Exception {
    SessionToken token = open();
    assertThat(two.peek("demo", token)).isInstanceOf(Peek.Miss.class);
    assertThat(two.load("demo", token)).isPresent();
    assertThat(two.peek("demo", token)).isInstanceOf(Peek.Hit.class);
    SessionToken further = SessionToken.create(random);
    assertThat(two.alias(token.id(), further)).isTrue();
    assertThat(one.load("demo", further)).isPresent();
    assertThat(one.peek("demo", further)).isInstanceOf(Peek.Hit.class);
    assertThat(one.end(token.id(), "logout", CONTEXT)).isPresent();
    assertThat(one.peek("demo", token)).isNotInstanceOf(Peek.Hit.class);
    assertThat(one.load("demo", further)).isEmpty();
    await(() -> !(two.peek("demo", token) instanceof Peek.Hit));
    assertThat(two.load("demo", token)).isEmpty();
    assertThat(two.load("demo", further)).isEmpty();
  }

  @Test
  void rolesThatOneNodeReadAgainCountAtTheOther() throws Exception {
    SessionToken token = open();
    assertThat(two.load("demo", token)).hasValueSatisfying(s -> assertThat(s.account().roles()).containsExactly("employee"));
    LocalAccount before = one.load("demo", token).orElseThrow().account();
    LocalAccount now = new LocalAccount(before.person(), before.user(), List.of(), before.groups(), before.attributes());
    assertThat(one.change(token.id(), now)).isPresent();
    assertThat(one.load("demo", token)).hasValueSatisfying(s -> assertThat(s.account()).isEqualTo(now));
    await(() -> !(two.peek("demo", token) instanceof Peek.Hit(AppSession stale) && stale.account().equals(before)));
    assertThat(two.load("demo", token)).hasValueSatisfying(s -> assertThat(s.account()).isEqualTo(now));
    assertThat(one.end(token.id(), "logout", CONTEXT)).isPresent();
    assertThat(one.change(token.id(), before)).isEmpty();
    assertThat(two.load("demo", token)).isEmpty();
  }

  @Test
  void useAtOneNodeProlongsAtTheOther() {
    SessionToken token = open();
    assertThat(two.load("demo", token)).isPresent();
    for (int i = 0; i < 3; i++) {
      time.advance(Duration.ofMinutes(20));
      assertThat(one.load("demo", token)).hasValueSatisfying(s -> assertThat(s.expiresAt()).isEqualTo(time.instant().plus(IDLE)));
    }
    assertThat(two.load("demo", token)).as("used at the other node only").isPresent();
    assertThat(two.load("demo", token)).hasValueSatisfying(s -> assertThat(s.expiresAt()).isEqualTo(time.instant().plus(IDLE)));
    assertThat(two.peek("demo", token)).isInstanceOf(Peek.Hit.class);
    time.advance(IDLE);
    assertThat(one.load("demo", token)).isEmpty();
    assertThat(two.load("demo", token)).isEmpty();
  }

  @Test
  void servesWhatItKnewWhileTheServerIsDown() throws Exception {
    SessionToken token = open();
    SessionToken further = SessionToken.create(random);
    assertThat(two.alias(token.id(), further)).isTrue();
    assertThat(two.load("demo", token)).isPresent();
    assertThat(two.load("demo", further)).isPresent();
    server.kill();
    await(() -> stores.get(1).problem().isPresent());
    time.advance(Duration.ofMinutes(2));
    assertThat(two.load("demo", token)).as("due for a touch that nobody takes").isPresent();
    assertThat(two.load("demo", further)).isPresent();
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> two.load("demo", SessionToken.create(random)));
    assertThat(stores.get(1).servedStale()).isPositive();
    assertThat(two.end(token.id(), "logout", CONTEXT)).as("counts here, is delivered later").isPresent();
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> two.load("demo", token));
    server.startAgain();
    await(() -> stores.stream().allMatch(node -> node.problem().isEmpty()));
    assertThat(two.load("demo", token)).as("never again at this node").isEmpty();
    await(() -> one.load("demo", token).isEmpty());
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 500 && !condition.getAsBoolean(); i++) {
      Thread.sleep(10);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
