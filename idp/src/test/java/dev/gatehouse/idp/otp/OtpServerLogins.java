package dev.gatehouse.idp.otp;

import static dev.gatehouse.idp.otp.OtpServers.REALM;
import static dev.gatehouse.idp.otp.OtpServers.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.slf4j.LoggerFactory;

/** Logins with passcodes at a replica whose primary is away: what is wrong is counted, and what is right goes on. */
final class OtpServerLogins {

  private static final PersonId GUESSED = new PersonId("gustav");
  private static final PersonId REPLACING = new PersonId("rita");
  private static final String PIN = "23456789";
  private static final int LOCK = TokenLogin.USUAL.lockAfter();
  private static final SealingKey SEALING = SealingKey.inMemory(new Random(7));
  private static final PinHashes PINS = new PinHashes(SEALING, new SecureRandom(), new PinCost(8, 1));

  /** Later than the marks of a new store may lack, and than the codes of others in the same test. */
  private static final InstantSource CLOCK = InstantSource.offset(InstantSource.system(), Duration.ofHours(2));

  private final PasscodeCheck check;
  private final OtpServers.Server server;
  private long lastStep;

  OtpServerLogins(OtpServers.Server server) {
    this.server = server;
    Directory directory =
        (Directory)
            Proxy.newProxyInstance(
                Directory.class.getClassLoader(), new Class<?>[] {Directory.class},
                (proxy, method, arguments) -> {
                  PersonId id = new PersonId(arguments[1].toString());
                  return new PersonSearch.One(new Person(id, id.value(), "uid=" + id.value(), Map.of(), List.of(), Set.of()));
                });
    this.check =
        new PasscodeChecks(server.tokens, PINS, realm -> directory, SEALING, server.audit, server.stores, CLOCK, new SecureRandom())
            .of(realm()).orElseThrow();
  }

  private static Realm realm() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(TokenLogin.USUAL));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  /** Gives people tokens, at a primary. */
  static void prepare(OtpServers.Server primary) {
    TokenSeeds seeds = new TokenSeeds(primary.tokens, PINS, SEALING);
    seeds.ensure(REALM, "guessed", seed("guessed"), GUESSED, PIN);
    seeds.ensure(REALM, "former", seed("former"), REPLACING, PIN);
    primary.tokens.add(REALM, List.of(seeds.token(REALM, "new", TokenType.USUAL, seed("new"), 0, Optional.empty())));
    Token former = primary.tokens.find(REALM, "former").orElseThrow();
    assertThat(new TokenRegister(primary.database).replace(REALM, former, "new")).isTrue();
  }

  private static byte[] seed(String serial) {
    return serial.repeat(5).getBytes(StandardCharsets.US_ASCII);
  }

  private PasscodeResult check(PersonId person, String passcode) {
    return check.check(new PasscodeAttempt(person.value(), passcode, "vpn", ""));
  }

  /** The last twelve characters of such a passcode look like an emergency code: letters and digits without 1. */
  private PasscodeResult guess() {
    return check(GUESSED, PIN + "222223");
  }

  void wrongPasscodesCountWithoutThePrimary() {
    for (int i = 1; i < LOCK; i++) {
      assertThat(guess()).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
      assertThat(server.tokens.holder(REALM, GUESSED).wrong()).isEqualTo(i);
    }
  }

  void theLastWrongPasscodeLocksWithoutAnyOtherServer() {
    assertThat(guess()).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(guess()).isEqualTo(new Refused(Reason.LOCKED));
    server.tokens.forgive(REALM, GUESSED);
  }

  private PasscodeResult replacing() {
    // The window takes the code after the present one: nobody waits for the time of a second login.
    lastStep = Math.max(lastStep + 1, TokenCodes.step(TokenType.USUAL, CLOCK.instant()));
    return check(REPLACING, PIN + new TokenCodes(TokenType.USUAL, seed("new")).at(lastStep));
  }

  void aReplacementLogsInWithoutThePrimary() {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(Tokens.class.getPackageName() + ".replica.ServerTokens");
    log.start();
    logger.addAppender(log);
    assertThat(replacing()).isInstanceOf(Accepted.class);
    logger.detachAppender(log);
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
        .contains("The primary is away: the token that new of realm " + REALM + " replaces still counts, until a code of new counts with the primary");
    assertThat(server.tokens.of(REALM, REPLACING)).extracting(Token::serial).containsExactlyInAnyOrder("former", "new");
  }

  void theReplacementIsFinishedWithThePrimary(OtpServers.Server primary) throws InterruptedException {
    assertThat(replacing()).isInstanceOf(Accepted.class);
    assertThat(primary.tokens.of(REALM, REPLACING)).extracting(Token::serial).containsExactly("new");
    await(() -> server.tokens.of(REALM, REPLACING).size() == 1);
  }
}
