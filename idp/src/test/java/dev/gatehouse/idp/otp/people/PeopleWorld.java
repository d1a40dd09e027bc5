package dev.gatehouse.idp.otp.people;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.PeopleDesk.Order;
import dev.gatehouse.common.admin.PeopleDesk.Reason;
import dev.gatehouse.common.admin.PeopleDesk.Stop;
import dev.gatehouse.common.admin.PeopleDesk.Synchronised;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.PeopleSearch;
import dev.gatehouse.common.directory.PeopleSearch.Entry;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.Limit;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.throttle.Turn;
import dev.gatehouse.common.throttle.Turns;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A register over a database in memory, and a directory whose answers the test chooses, unless it has a real one. */
final class PeopleWorld implements AutoCloseable {

  final TestTime time = new TestTime();
  final RecordingAuditLog audit = new RecordingAuditLog();
  final Database database = Database.inMemory();
  final KnownPeople known = new KnownPeople(database);
  final Tokens tokens = new JdbcTokens(database);
  final List<Entry> entries = new ArrayList<>();
  Supplier<PeopleSearch.Outcome> answer = () -> new PeopleSearch.Outcome.All(List.copyOf(entries));

  /** Whom a second question finds beside the entries. */
  final List<PersonId> foundAgain = new ArrayList<>();

  /** Who has an entry that no filter matches. */
  final List<PersonId> filteredOut = new ArrayList<>();

  private Optional<Directory> real = Optional.empty();
  private Turns turns = Turns.ALONE;
  final FixedRealms realms;
  final PeopleSync sync;
  final PeopleSchedule schedule;

  PeopleWorld(Limit mayDisable, Optional<Duration> every) {
    this(new TokenLogin.People(Optional.empty(), Optional.empty(), "cn", "mail", Optional.empty(), every, mayDisable));
  }

  PeopleWorld(TokenLogin.People people) {
    realms = new FixedRealms(realm(people));
    sync = new PeopleSync(known, realms, realm -> real.orElseGet(this::fake), work -> turns.take(work), audit, time);
    schedule = new PeopleSchedule(sync, known, realms, time);
  }

  private static Realm realm(TokenLogin.People people) {
    TokenLogin usual = TokenLogin.USUAL;
    TokenLogin login =
        new TokenLogin(
            usual.pin(), usual.nextCodeAfter(), usual.lockAfter(), usual.lockFor(), Optional.of(people), List.of(), usual.deskExpiry());
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(login));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  void use(Directory directory) {
    real = Optional.of(directory);
  }

  /** Lets another node have the turn after so many writes; none at first if 0. */
  void loseTheTurnAfter(int writes) {
    int[] left = {writes};
    turns =
        work ->
            writes == 0
                ? Optional.empty()
                : Optional.of(
                    (Turn)
                        change -> {
                          if (left[0]-- <= 0) {
                            return false;
                          }
                          change.run();
                          return true;
                        });
  }

  void takeTheTurn() {
    turns = Turns.ALONE;
  }

  private Directory fake() {
    return (Directory)
        Proxy.newProxyInstance(
            Directory.class.getClassLoader(), new Class<?>[] {Directory.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "people" -> {
                    ((LongConsumer) arguments[1]).accept(entries.size());
                    yield answer.get();
                  }
                  case "present", "existing" -> {
                    List<?> asked = (List<?>) arguments[arguments.length - 1];
                    Set<PersonId> there = entries.stream().flatMap(entry -> entry.id().stream()).collect(Collectors.toSet());
                    there.addAll(foundAgain);
                    if (arguments.length == 1) {
                      there.addAll(filteredOut);
                    }
                    there.removeIf(id -> !asked.contains(id));
                    yield there;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  static Entry entry(String id, String name) {
    return new Entry(
        "uid=" + name + ",ou=people,dc=example,dc=org", Optional.of(new PersonId(id)), Optional.of(name), Optional.of("The " + name),
        Optional.of(name + "@example.org"), List.of(), false);
  }

  void add(int number) {
    for (int i = 0; i < number; i++) {
      entries.add(entry("id-" + i, "p" + i));
    }
  }

  void give(String serial, String person) {
    tokens.add("demo", List.of(Token.created(serial, TokenType.USUAL, new byte[] {1}, -1, Optional.empty())));
    if (!tokens.assign("demo", serial, new PersonId(person))) {
      throw new IllegalStateException(serial);
    }
  }

  Result<Synchronised, Stop> run(boolean preview) {
    return sync.run(new Order("demo", "ops", preview, Optional.empty()), (done, total) -> {});
  }

  Synchronised synchronised() {
    return ((Result.Accepted<Synchronised, Stop>) run(false)).value();
  }

  /** Synchronises twice, an hour apart: whoever is missing in both is gone. */
  Synchronised synchronisedForSure() {
    synchronised();
    time.advance(Duration.ofHours(1));
    return synchronised();
  }

  Reason stopped() {
    return ((Result.Refused<Synchronised, Stop>) run(false)).refusal().reason();
  }

  @Override
  public void close() {
    database.close();
  }
}
