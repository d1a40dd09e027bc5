package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.PeopleDesk;
import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TrustDesk;
import dev.gatehouse.common.admin.TokenImport;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.PeopleSearch;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.throttle.Turns;
import dev.gatehouse.idp.otp.PinCost;
import dev.gatehouse.idp.otp.PinHashes;
import dev.gatehouse.idp.otp.TokenHelpDesk;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.idp.otp.people.PeopleSync;
import dev.gatehouse.idp.otp.seed.SeedImport;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The real tokens of the realm demo, over a database in memory; everybody but {@code nobody} is in the directory. */
public final class TokenDeskFixture {

  public static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

  private final RandomGenerator random = RandomGenerator.of("SplittableRandom");
  private final Database database = Database.inMemory();
  private final SealingKey sealing = SealingKey.inMemory(random);
  private final PinHashes pins = new PinHashes(sealing, random, new PinCost(8, 1));
  final TestTime time = new TestTime();

  /** What happens after each change of a token. */
  volatile Runnable afterChange = () -> {};

  public final Tokens tokens = new JdbcTokens(database);
  public final KnownPeople known = new KnownPeople(database);

  /** The people of the directory for synchronisations. */
  public final List<PeopleSearch.Entry> entries = new CopyOnWriteArrayList<>();
  public final TokenSeeds seeds = new TokenSeeds(tokens, pins, sealing);
  private final Realms realms = new FixedRealms(realm());
  public final TokenDesk desk =
      new TokenHelpDesk(
          tokens, new TokenRegister(database), pins, realms, realm -> directory(), sealing, time, random);

  /** Registers the beans in place of a node's. */
  public void register(GenericApplicationContext beans) {
    beans.registerBean(
        PeopleDesk.class,
        () -> new PeopleSync(known, realms, realm -> directory(), Turns.ALONE, beans.getBean(AuditLog.class), time));
    beans.registerBean(TokenDesk.class, this::watched);
    beans.registerBean(TrustDesk.class, () -> new OneTrust("<script>alert(1)</script>"));
    beans.registerBean(TokenImport.class, () -> new SeedImport(tokens, seeds, time));
  }

  /** The tokens for the endpoints, with an ear for each change. */
  private TokenDesk watched() {
    return (TokenDesk)
        Proxy.newProxyInstance(
            TokenDesk.class.getClassLoader(), new Class<?>[] {TokenDesk.class},
            (self, method, arguments) -> {
              try {
                return method.invoke(desk, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              } finally {
                if (method.getName().equals("change")) {
                  afterChange.run();
                }
              }
            });
  }

  /** Adds tokens that belong to nobody. */
  public void add(String... serials) {
    for (String serial : serials) {
      tokens.add("demo", List.of(seeds.token("demo", serial, TokenType.USUAL, SEED, 0, Optional.empty())));
    }
  }

  /** What is run and may throw what requests throw. */
  interface Requests<T> {
    T run() throws IOException, InterruptedException;
  }

  /** Runs it while the database takes no end of a token: a fault in the middle. */
  <T> T refusingAnEnd(Requests<T> requests) throws IOException, InterruptedException {
    JdbcClient jdbc = JdbcClient.create(database.dataSource());
    jdbc.sql("alter table otp_token add constraint no_end check (expires_at is null)").update();
    try {
      return requests.run();
    } finally {
      jdbc.sql("alter table otp_token drop constraint no_end").update();
    }
  }

  /** Removes all tokens. */
  public void clear() {
    tokens.list("demo", "", 1000).forEach(token -> tokens.remove("demo", token.serial()));
  }

  private static Realm realm() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(
                new TokenLogin(
                    TokenLogin.USUAL.pin(), 3, 10, TokenLogin.USUAL.lockFor(),
                    Optional.of(
                        new TokenLogin.People(
                            Optional.empty(), Optional.empty(), "cn", "mail", Optional.empty(), Optional.empty(), new TokenLogin.Limit(1, false))),
                    List.of(), TokenLogin.USUAL_DESK_EXPIRY)));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  private Directory directory() {
    return (Directory)
        Proxy.newProxyInstance(
            Directory.class.getClassLoader(), new Class<?>[] {Directory.class},
            (self, method, arguments) ->
                method.getName().equals("people")
                    ? new PeopleSearch.Outcome.All(List.copyOf(entries))
                    : Set.of("present", "existing").contains(method.getName()) ? Set.of() : found(method.getName(), arguments));
  }

  private static Object found(String method, Object[] arguments) {
    return method.equals("find") && arguments[0] instanceof PersonId id && !id.value().equals("nobody")
        ? Optional.of(new Person(id, id.value(), id.value(), Map.of(), List.of(), Set.of()))
        : Optional.empty();
  }
}
