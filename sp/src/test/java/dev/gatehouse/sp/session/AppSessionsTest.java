package dev.gatehouse.sp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class AppSessionsTest {

  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final NameId NAME_ID = NameId.of("t-1", "urn:oasis:names:tc:SAML:2.0:nameid-format:transient");
  private static final AuditEvent.Context CONTEXT = AuditEvent.Context.node();

  private final TestTime time = new TestTime();
  private final FixedRealms realms =
      new FixedRealms(TestRealms.change(TestRealms.demo()).appSession(IDLE, Duration.ofHours(8)).realm());
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final Stores stores = new MemoryStores(time);
  private final AppSessions sessions = new AppSessions(stores, realms, audit, time);
  private final AppSessionAdmin admin = new AppSessionAdmin(sessions, realms);
  private final SecureRandom random = new SecureRandom();

  private SessionToken open(String user) {
    SessionToken token = SessionToken.create(random);
    sessions.open(session(token, user));
    return token;
  }

  private AppSession session(SessionToken token, String user) {
    return new AppSession(
        token.id(), "demo",
        new Lifetime(time.instant(), time.instant().plus(IDLE), time.instant().plus(Duration.ofHours(8))),
        new LocalAccount(
            AppSession.personId(TestRealms.IDP_ENTITY, user),
            user,
            List.of("employee"),
            List.of(),
            Map.of("mail", List.of(user + "@example.org"))),
        new AppSession.Login(TestRealms.IDP_ENTITY, NAME_ID, Optional.of("_index-" + user), Optional.empty(), time.instant()));
  }

  /** Whatever characters the provider's ID or the name contains, the gateway distinguishes people by the result. */
  @Test
  void noTwoPairsOfProviderAndNameAreOnePerson() {
    assertThat(AppSession.personId("https://idp.example", "sp!alice").value()).isEqualTo("https://idp.example!sp!alice");
    assertThat(AppSession.personId("https://idp.example!sp", "alice"))
        .isNotEqualTo(AppSession.personId("https://idp.example", "sp!alice"));
    assertThat(AppSession.personId("urn:a!", "b!c")).isNotEqualTo(AppSession.personId("urn:a!b", "!c"));
  }

  @Test
  void aNewSessionIsThereForTheEventLoopAtOnce() {
    assertThat(sessions.peek("demo", open("alice"))).isInstanceOf(Peek.Hit.class);
  }

  @Test
  void anUnknownTokenIsAMissAndAfterTheLookUpNothing() {
    SessionToken token = SessionToken.create(random);
    assertThat(sessions.peek("demo", token)).isInstanceOf(Peek.Miss.class);
    assertThat(sessions.load("demo", token)).isEmpty();
    assertThat(sessions.peek("demo", token)).isInstanceOf(Peek.None.class);
  }

  @Test
  void aSessionOfOneRealmIsNoneOfAnother() {
    SessionToken token = open("alice");
    assertThat(sessions.peek("other", token)).isInstanceOf(Peek.None.class);
    assertThat(sessions.load("other", token)).isEmpty();
  }

  @Test
  void useMovesTheEndAndIdlenessComesToIt() {
    SessionToken token = open("alice");
    time.advance(Duration.ofMinutes(1));
    assertThat(sessions.peek("demo", token)).as("due for a touch").isInstanceOf(Peek.Miss.class);
    assertThat(sessions.load("demo", token))
        .hasValueSatisfying(found -> assertThat(found.expiresAt()).isEqualTo(time.instant().plus(IDLE)));
    assertThat(sessions.peek("demo", token)).isInstanceOf(Peek.Hit.class);

    time.advance(IDLE);

    assertThat(sessions.peek("demo", token)).isInstanceOf(Peek.None.class);
    assertThat(sessions.load("demo", token)).isEmpty();
  }

  @Test
  void noUseMovesTheAbsoluteEnd() {
    SessionToken token = open("alice");
    for (int minutes = 0; minutes < 8 * 60 - 1; minutes += 20) {
      assertThat(sessions.load("demo", token)).isPresent();
      time.advance(Duration.ofMinutes(20));
    }
    assertThat(sessions.load("demo", token)).isEmpty();
  }

  @Test
  void anEndedSessionIsGoneForTheEventLoopAtOnceAndReturnedOnce() {
    SessionToken token = open("alice");

    assertThat(sessions.end(token.id(), "logout", CONTEXT)).isPresent();

    assertThat(sessions.peek("demo", token)).isInstanceOf(Peek.None.class);
    assertThat(sessions.load("demo", token)).isEmpty();
    assertThat(sessions.end(token.id(), "logout", CONTEXT)).isEmpty();
    assertThat(audit.events(AuditEvent.SessionEnded.class)).hasSize(1);
  }

  @Test
  void aLookUpThatRunsWhileTheSessionEndsNeverBringsItBack() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 500; i++) {
        SessionToken token = open("alice");
        time.advance(Duration.ofMinutes(1));
        Future<?> reader = threads.submit(() -> sessions.load("demo", token));
        Future<?> ender = threads.submit(() -> sessions.end(token.id(), "logout", CONTEXT));
        reader.get();
        ender.get();
        assertThat(sessions.peek("demo", token)).isInstanceOf(Peek.None.class);
      }
    }
  }

  /** A LogoutRequest finds a session as soon as it is stored, perhaps before the opening thread continues. */
  @Test
  void aSessionThatEndsWhileItIsOpenedStaysEnded() {
    AtomicReference<AppSessions> ender = new AtomicReference<>();
    Stores interrupted =
        new InterruptedStores(
            new MemoryStores(time), id -> Optional.ofNullable(ender.get()).ifPresent(s -> s.end(id, "partner", CONTEXT)));
    AppSessions racing = new AppSessions(interrupted, realms, audit, time);
    ender.set(racing);
    SessionToken token = SessionToken.create(random);

    racing.open(session(token, "alice"));

    assertThat(racing.peek("demo", token)).isInstanceOf(Peek.None.class);
    assertThat(racing.load("demo", token)).isEmpty();
  }

  @Test
  void anAliasLeadsToTheSessionWithoutBlockingAndEndsWithIt() {
    SessionToken token = open("alice");
    SessionToken further = SessionToken.create(random);
    assertThat(sessions.alias(token.id(), further)).isTrue();
    assertThat(sessions.peek("demo", further)).isInstanceOf(Peek.Miss.class);
    assertThat(sessions.load("demo", further)).map(AppSession::id).contains(token.id());
    assertThat(sessions.peek("demo", further)).isInstanceOf(Peek.Hit.class);

    sessions.end(token.id(), "logout", CONTEXT);

    assertThat(sessions.peek("demo", further)).isInstanceOf(Peek.None.class);
    assertThat(sessions.load("demo", further)).isEmpty();
    assertThat(sessions.alias(token.id(), SessionToken.create(random))).isFalse();
  }

  @Test
  void anAliasMayEndAlone() {
    SessionToken token = open("alice");
    SessionToken further = SessionToken.create(random);
    sessions.alias(token.id(), further);
    sessions.load("demo", further);

    sessions.endAlias(further);

    assertThat(sessions.load("demo", further)).isEmpty();
    assertThat(sessions.load("demo", token)).isPresent();
    sessions.endAlias(token);
    assertThat(sessions.load("demo", token)).as("a session is no alias").isPresent();
  }

  @Test
  void administratorsSeeAndEndThemByPerson() {
    SessionToken alice = open("alice");
    open("bob");

    assertThat(admin.kind()).isEqualTo("app");
    assertThat(admin.page("demo", "", 10)).hasSize(2);
    assertThat(admin.ofPerson("demo", "alice"))
        .extracting(AdminResource.SessionView::id).containsExactly(alice.id().value());
    assertThat(admin.ofPerson("demo", TestRealms.IDP_ENTITY + "!alice")).hasSize(1);
    assertThat(admin.ofPerson("demo", "nobody")).isEmpty();
    assertThat(admin.end("other", alice.id().value(), "root")).isFalse();
    assertThat(admin.end("demo", alice.id().value(), "root")).isTrue();
    assertThat(admin.end("demo", alice.id().value(), "root")).isFalse();
    assertThat(sessions.peek("demo", alice)).isInstanceOf(Peek.None.class);
  }

  @Test
  void aSessionComesBackFromBytesAsItWas() {
    AppSessionCodec codec = new AppSessionCodec();
    AppSession session = session(SessionToken.create(random), "älice");

    assertThat(codec.decode(codec.encode(session))).isEqualTo(session);
    AppAlias alias =
        new AppAlias(
            SessionToken.create(random).id(), session.id(), "demo", new PersonId("p"), time.instant(), time.instant());
    AppAlias.Codec aliases = new AppAlias.Codec();
    assertThat(aliases.decode(aliases.encode(alias))).isEqualTo(alias);
  }

  @Test
  void otherBytesAreRefused() {
    AppSessionCodec codec = new AppSessionCodec();
    byte[] bytes = codec.encode(session(SessionToken.create(random), "alice"));

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> codec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> codec.decode(longer)).isInstanceOf(IllegalArgumentException.class);
    bytes[0] = 99;
    assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(IllegalArgumentException.class);
  }
}
