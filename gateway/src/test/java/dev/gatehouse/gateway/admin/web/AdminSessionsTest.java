package dev.gatehouse.gateway.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcAdministratorGrants;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation.Created;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.UnsupportedStores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.gateway.admin.FakePersonLogins;
import java.net.InetAddress;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminSessionsTest {

  private static final List<AdministratorGrant> VIEWER = List.of(AdministratorGrant.parse("viewer@demo"));

  private static final EdgeRequest REQUEST =
      new EdgeRequest(
          "GET", new Origin("http", "localhost", 80), "/console/", "", Headers.empty(), new byte[0], InetAddress.getLoopbackAddress());

  private static Database database;

  @TempDir Path data;
  private final TestTime time = new TestTime();
  private final FakePersonLogins logins = new FakePersonLogins();
  private AdministratorGrants grants;
  private AdministratorKeys keys;
  private AdminSessions sessions;
  private RightsWatch watch;

  @BeforeEach
  void open() {
    RandomGenerator random = RandomGenerator.of("SplittableRandom");
    keys = new AdministratorKeys(data, time, random);
    grants = new JdbcAdministratorGrants(database);
    grants.all("demo").forEach(grant -> grants.remove("demo", grant.person(), Optional.empty(), true));
    Optional<AdminLogin> login = Optional.of(new AdminLogin("demo", new Origin("http", "localhost", 80)));
    AdministratorPeople people = new AdministratorPeople(login, Optional.of(logins), grants, time);
    sessions = new AdminSessions(keys, people, new MemoryStores(time), time, random);
    watch = new RightsWatch(keys, people, time);
  }

  @BeforeAll
  static void openDatabase() {
    database = Database.inMemory();
  }

  @AfterAll
  static void closeDatabase() {
    database.close();
  }

  private PersonLogin administrator(String name, String grant, Optional<Duration> lifetime) {
    Person person = logins.add(name);
    grants.put(
        new PersonGrant(
            "demo", person.id(), name, AdministratorGrant.parse(grant), lifetime.map(time.instant()::plus), "test", time.instant()),
        true);
    return FakePersonLogins.login(person, time.instant());
  }

  @Test
  void aPersonMayDoWhatTheRolesSayAtEachRequest() {
    PersonLogin bob = administrator("bob", "operator", Optional.empty());
    SessionToken token = sessions.begin(bob);
    assertThat(sessions.use(token, REQUEST))
        .contains(new AdminRights("demo/bob", List.of(AdministratorGrant.parse("operator")), Optional.of(bob)));
    administrator("bob", "viewer", Optional.empty());
    assertThat(sessions.use(token, REQUEST).orElseThrow().grants()).containsExactly(AdministratorGrant.parse("viewer"));
    grants.remove("demo", bob.person(), Optional.empty(), true);
    assertThat(sessions.use(token, REQUEST)).isEmpty();
    administrator("bob", "viewer", Optional.empty());
    assertThat(sessions.use(token, REQUEST)).as("the session has ended").isEmpty();
  }

  @Test
  void workThatGoesOnHasTheRightsOfNow() {
    PersonLogin bob = administrator("bob", "operator", Optional.empty());
    RightsWatch.Held held = watch.hold(new AdminRights("demo/bob", List.of(AdministratorGrant.parse("operator")), Optional.of(bob)));
    assertThat(held.get().orElseThrow().grants()).containsExactly(AdministratorGrant.parse("operator"));
    administrator("bob", "viewer", Optional.empty());
    assertThat(held.get().orElseThrow().grants()).containsExactly(AdministratorGrant.parse("viewer"));
    logins.people.clear();
    time.advance(Duration.ofSeconds(31));
    assertThat(held.get()).as("gone from the directory").isEmpty();

    PersonLogin carol = administrator("carol", "viewer", Optional.of(Duration.ofMinutes(5)));
    RightsWatch.Held ends = watch.hold(new AdminRights("demo/carol", List.of(), Optional.of(carol)));
    assertThat(ends.get()).isPresent();
    time.advance(Duration.ofMinutes(5));
    assertThat(ends.get()).as("the role has ended").isEmpty();

    keys.create("job", VIEWER, Optional.empty());
    RightsWatch.Held ofKey = watch.hold(new AdminRights("job", VIEWER));
    assertThat(ofKey.get()).isPresent();
    time.advance(Duration.ofSeconds(1));
    keys.revoke("job");
    assertThat(ofKey.get()).isEmpty();
    keys.create("job", VIEWER, Optional.empty());
    assertThat(ofKey.get()).as("another key of that name").isEmpty();
  }

  @Test
  void aPersonsSessionEndsWithTheRoleTheLoginAndTheDirectorysEntry() {
    SessionToken shortRole = sessions.begin(administrator("carol", "viewer", Optional.of(Duration.ofMinutes(5))));
    SessionToken loggedOut = sessions.begin(administrator("dora", "viewer", Optional.empty()));
    SessionToken gone = sessions.begin(administrator("emil", "viewer", Optional.empty()));
    assertThat(List.of(shortRole, loggedOut, gone)).allMatch(token -> sessions.use(token, REQUEST).isPresent());
    time.advance(Duration.ofMinutes(5));
    logins.ended.add(new SessionId("dora"));
    logins.people.removeIf(person -> person.name().equals("emil"));
    assertThat(List.of(shortRole, loggedOut, gone)).noneMatch(token -> sessions.use(token, REQUEST).isPresent());
    assertThat(sessions.count()).isZero();
  }

  @Test
  void anotherRealmsPersonWithTheSameIdHasNoRole() {
    PersonLogin bob = administrator("bob", "admin", Optional.empty());
    SessionToken token = sessions.begin(new PersonLogin("other", bob.person(), "bob", time.instant(), bob.session()));
    assertThat(sessions.use(token, REQUEST)).isEmpty();
  }

  @Test
  void aSavedFormIsForThePersonWhoSentIt() {
    PersonLogin bob = administrator("bob", "admin", Optional.empty());
    PersonLogin carol = administrator("carol", "admin", Optional.empty());
    SavedForm form = new SavedForm("/console/revisions/1/rollback", List.of());
    SessionToken first = sessions.begin(bob);
    sessions.save(first, form);
    assertThat(sessions.replace(first.id(), carol)).isEmpty();
    assertThat(sessions.use(first, REQUEST)).as("replaced").isEmpty();
    SessionToken second = sessions.begin(bob);
    sessions.save(second, form);
    assertThat(sessions.replace(second.id(), bob)).contains(form);
    assertThat(sessions.replace(second.id(), bob)).isEmpty();
  }

  private NamedKey key(String name, Optional<Duration> lifetime) {
    return ((Created) keys.create(name, VIEWER, lifetime.map(time.instant()::plus))).key();
  }

  @Test
  void aSessionMayDoWhatItsKeyMay() {
    SessionToken token = sessions.begin(key("reader", Optional.empty()));
    assertThat(sessions.use(token, REQUEST)).contains(new AdminRights("reader", VIEWER));
    assertThat(sessions.use(SessionToken.create(RandomGenerator.of("SecureRandom")), REQUEST)).isEmpty();
  }

  @Test
  void itEndsFifteenMinutesAfterItsLastRequest() {
    SessionToken token = sessions.begin(key("reader", Optional.empty()));
    time.advance(Duration.ofMinutes(15).minusSeconds(1));
    assertThat(sessions.use(token, REQUEST)).isPresent();
    time.advance(Duration.ofMinutes(15).minusSeconds(1));
    assertThat(sessions.use(token, REQUEST)).isPresent();
    time.advance(Duration.ofMinutes(15));
    assertThat(sessions.use(token, REQUEST)).isEmpty();
    assertThat(sessions.count()).isZero();
  }

  @Test
  void itEndsEightHoursAfterItsBeginningHoweverBusy() {
    SessionToken token = sessions.begin(key("reader", Optional.empty()));
    for (int i = 0; i < 47; i++) {
      time.advance(Duration.ofMinutes(10));
      assertThat(sessions.use(token, REQUEST)).isPresent();
    }
    time.advance(Duration.ofMinutes(10));
    assertThat(sessions.use(token, REQUEST)).isEmpty();
  }

  @Test
  void itEndsWithItsKey() {
    SessionToken ended = sessions.begin(key("short", Optional.of(Duration.ofMinutes(5))));
    SessionToken revoked = sessions.begin(key("reader", Optional.empty()));
    keys.revoke("reader");
    assertThat(sessions.use(revoked, REQUEST)).isEmpty();
    time.advance(Duration.ofMinutes(5));
    assertThat(sessions.use(ended, REQUEST)).isEmpty();
    assertThat(sessions.count()).isZero();
  }

  @Test
  void aKeyWithAnotherOfTheSameNameDoesNotPassItsSessionsOn() {
    SessionToken revoked = sessions.begin(key("reader", Optional.empty()));
    keys.revoke("reader");
    key("reader", Optional.empty());
    assertThat(sessions.use(revoked, REQUEST)).isEmpty();
  }

  @Test
  void tooManySessionsOfOneKeyEndTheOneThatIsUnusedLongestAndNoneOfOthers() {
    SessionToken other = sessions.begin(key("other", Optional.empty()));
    NamedKey key = key("script", Optional.empty());
    SessionToken first = sessions.begin(key);
    SessionToken second = sessions.begin(key);
    time.advance(Duration.ofSeconds(1));
    sessions.use(first, REQUEST);
    for (int i = 0; i < AdminSessions.MOST_OF_ONE_ADMINISTRATOR - 1; i++) {
      sessions.begin(key);
    }
    assertThat(sessions.count()).isEqualTo(AdminSessions.MOST_OF_ONE_ADMINISTRATOR + 1);
    assertThat(sessions.use(second, REQUEST)).isEmpty();
    assertThat(sessions.use(first, REQUEST)).isPresent();
    assertThat(sessions.use(other, REQUEST)).isPresent();
  }

  @Test
  void sessionsThatAreOverDoNotStayInMemory() {
    sessions.begin(key("one", Optional.empty()));
    time.advance(Duration.ofHours(1));
    sessions.begin(key("two", Optional.empty()));
    assertThat(sessions.count()).isEqualTo(1);
  }

  /** A store that two nodes share, which may be away. */
  private record SharedStores(SessionStore<AdminSession> sessions, AtomicBoolean away) implements UnsupportedStores {

    @Override
    @SuppressWarnings("unchecked")
    public <S extends Session> Optional<SessionStore<S>> sessionsIfShared(String name, ValueCodec<S> codec) {
      SessionStore<AdminSession> guarded =
          (SessionStore<AdminSession>)
              Proxy.newProxyInstance(
                  SessionStore.class.getClassLoader(), new Class<?>[] {SessionStore.class},
                  (self, method, arguments) -> {
                    if (away.get()) {
                      throw new StoreUnavailable("away");
                    }
                    return method.invoke(sessions, arguments);
                  });
      return Optional.of((SessionStore<S>) (SessionStore<?>) guarded);
    }
  }

  private AdminSessions node(Stores stores) {
    Optional<AdminLogin> login = Optional.of(new AdminLogin("demo", new Origin("http", "localhost", 80)));
    AdministratorPeople people = new AdministratorPeople(login, Optional.of(logins), grants, time);
    return new AdminSessions(keys, people, stores, time, RandomGenerator.of("SplittableRandom"));
  }

  private SharedStores shared() {
    return new SharedStores(new MemoryStores(time).sessions("admin", new AdminSession.Codec()), new AtomicBoolean());
  }

  @Test
  void aSessionOfOneNodeCountsAtTheOtherUntilEitherEndsIt() {
    Stores stores = shared();
    AdminSessions one = node(stores);
    AdminSessions other = node(stores);
    PersonLogin bob = administrator("bob", "admin", Optional.empty());
    SessionToken token = one.begin(bob);
    assertThat(other.use(token, REQUEST)).isEqualTo(one.use(token, REQUEST)).isPresent();
    SavedForm form = new SavedForm("/console/x", List.of(new Parameters.Parameter("name", "a b", "a+b")));
    other.save(token, form);
    assertThat(one.replace(token.id(), bob)).contains(form);
    assertThat(other.use(token, REQUEST)).as("replaced").isEmpty();
    SessionToken ofKey = one.begin(key("reader", Optional.empty()));
    time.advance(Duration.ofMinutes(14));
    assertThat(other.use(ofKey, REQUEST)).isPresent();
    time.advance(Duration.ofMinutes(14));
    assertThat(one.use(ofKey, REQUEST)).as("the use at the other node prolonged it").isPresent();
    other.end(ofKey);
    assertThat(one.use(ofKey, REQUEST)).isEmpty();
    SessionToken revoked = one.begin(key("second", Optional.empty()));
    keys.revoke("second");
    // Stored until its own end: a node that reads an old copy of the keys ends nothing that others know.
    assertThat(List.of(one, other)).allMatch(node -> node.use(revoked, REQUEST).isEmpty());
  }

  @Test
  void aKeyOpensTheConsoleOfOneNodeWhileTheSharedStoreIsAway() {
    SharedStores stores = shared();
    AdminSessions one = node(stores);
    NamedKey key = key("reader", Optional.empty());
    PersonLogin bob = administrator("bob", "admin", Optional.empty());
    SessionToken before = one.begin(key);
    stores.away().set(true);
    SessionToken token = one.begin(key);
    assertThat(one.use(token, REQUEST)).isPresent();
    one.endIfPossible(before);
    assertThatThrownBy(() -> one.begin(bob)).isInstanceOf(StoreUnavailable.class);
    stores.away().set(false);
    assertThat(one.use(token, REQUEST)).isPresent();
    assertThat(node(stores).use(token, REQUEST)).as("the other node").isEmpty();
    one.end(token);
    assertThat(one.use(token, REQUEST)).isEmpty();
  }
}
