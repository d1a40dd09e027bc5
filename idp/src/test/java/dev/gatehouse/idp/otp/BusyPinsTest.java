package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** PINs that the server makes, on a node with more hashes to compute than it can. */
final class BusyPinsTest {

  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final PersonId ALICE = new PersonId("alice");
  private static final String ADDRESS = "192.0.2.1";
  private static final SealingKey SEALING = SealingKey.inMemory(new Random(7));

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final Database database = Database.inMemory();
  private final Tokens tokens = new JdbcTokens(database);
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicReference<Runnable> whenAPinIsMade = new AtomicReference<>(() -> {});

  @AfterEach
  void close() {
    end.countDown();
    database.close();
  }

  private static Realm realm() {
    TokenLogin usual = TokenLogin.USUAL;
    TokenLogin.Pin server = new TokenLogin.Pin(4, 8, false, 3, TokenLogin.ChosenBy.SERVER);
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(new TokenLogin(server, usual.nextCodeAfter(), usual.lockAfter(), usual.lockFor())));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  private PasscodeChecks checks(HashPermits permits) {
    PinHashes pins = new PinHashes(SEALING, new SecureRandom(), new PinCost(8, 1), permits);
    new TokenSeeds(tokens, pins, SEALING).ensure("demo", "t-1", SEED, ALICE, "2468");
    Person alice = new Person(ALICE, "alice", "uid=alice", Map.of(), List.of(), Set.of());
    Directory directory =
        (Directory)
            Proxy.newProxyInstance(
                Directory.class.getClassLoader(), new Class<?>[] {Directory.class},
                (proxy, method, arguments) -> new PersonSearch.One(alice));
    SecureRandom secure = new SecureRandom();
    RandomGenerator random =
        () -> {
          whenAPinIsMade.getAndSet(() -> {}).run();
          return secure.nextLong();
        };
    return new PasscodeChecks(tokens, pins, realm -> directory, SEALING, new RecordingAuditLog(), new MemoryStores(time), time, random);
  }

  /** Takes a turn until the end of the test, and returns when it has begun or waits. */
  private void take(HashPermits permits, String source, int waiting) {
    CountDownLatch begun = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () ->
                permits.when(
                    source,
                    () -> {
                      begun.countDown();
                      awaited(end);
                      return new byte[0];
                    }));
    if (source.isEmpty()) {
      awaited(begun);
      return;
    }
    while (permits.waiting(source) < waiting) {
      Thread.onSpinWait();
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Somebody who has logged in sends the form again and again: others get their turns all the same. */
  @Test
  void aPinThatThePageMakesTakesATurnOfTheBrowsersAddress() throws Exception {
    HashPermits permits = new HashPermits(1, Duration.ofSeconds(5));
    OwnTokens own = new OwnTokens(checks(permits), new TokenRegister(database));
    for (int i = 1; i <= HashPermits.MOST_FROM_ONE; i++) {
      take(permits, ADDRESS, i);
    }
    assertThatExceptionOfType(PasscodeStoreUnavailable.class)
        .isThrownBy(() -> own.serverPin(from(ADDRESS), ALICE))
        .matches(PasscodeStoreUnavailable::isCrowded);
    end.countDown();
    assertThat(own.serverPin(from("192.0.2.2"), ALICE)).isPresent();
  }

  private static RealmRequest from(String address) throws Exception {
    Realm realm = realm();
    EdgeRequest http =
        new EdgeRequest(
            "POST", Origin.of(URI.create(TestRealms.IDP)), "/realms/demo/account/tokens", "", Headers.empty(), new byte[0],
            InetAddress.getByName(address));
    return new RealmRequest(realm, realm.idp().orElseThrow(), http);
  }

  @Test
  void aNodeThatIsBusyAfterACodeWasUsedUpSaysThatItMayHaveCounted() {
    HashPermits permits = new HashPermits(1, Duration.ZERO);
    PasscodeCheck check = checks(permits).of(realm()).orElseThrow();
    tokens.keepPins("demo", ALICE, tokens.holder("demo", ALICE).sealedPins(), true);
    whenAPinIsMade.set(() -> take(permits, "", 1));
    String code = new TokenCodes(TokenType.USUAL, SEED).at(TokenCodes.step(TokenType.USUAL, time.instant()));
    PasscodeAttempt attempt = new PasscodeAttempt("alice", "2468" + code, "vpn", "");
    assertThatExceptionOfType(PasscodeStoreUnavailable.class)
        .isThrownBy(() -> check.check(attempt))
        .matches(PasscodeStoreUnavailable::mayHaveCounted)
        .matches(midway -> !midway.isBusy());
  }
}
