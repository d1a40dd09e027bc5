package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PinHashes;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a passcode costs does not tell who there is, who has a token, and who is locked. */
final class PasscodeTimingTest {

  private static final PersonId ALICE = FakeDirectory.ALICE.id();
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

  private final Idp idp = new Idp(realm());
  private final PinHashes pins = idp.context.getBean(PinHashes.class);

  private static Realm realm() {
    ContractsConfig contracts =
        new ContractsConfig(
            false, SecondFactor.OPTIONAL, ContractsConfig.FORM_ALONE.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(TokenLogin.USUAL));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  private long hashes(String name, String typed) {
    long before = pins.computed();
    idp.context
        .getBean(PasscodeChecks.class)
        .of(idp.realms.find("demo").orElseThrow())
        .orElseThrow()
        .check(new PasscodeAttempt(name, typed, "vpn", ""));
    return pins.computed() - before;
  }

  @Test
  void everyRefusalCostsOneHash() {
    assertThat(hashes("nobody", "2468123456")).as("unknown").isEqualTo(1);
    assertThat(hashes("bob", "2468123456")).as("without a token").isEqualTo(1);
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t", SEED, ALICE, "2468");
    assertThat(hashes("alice", "2468000000")).as("a wrong code").isEqualTo(1);
    assertThat(hashes("alice", "2468" + Authenticator.of(SEED).code(idp.time.instant()))).as("right").isEqualTo(1);
    assertThat(hashes("alice", "2468abcdefghjkmn")).as("like an emergency code").isEqualTo(1);
    assertThat(hashes("alice", "x".repeat(300))).as("too long").isEqualTo(1);
    Idp.TOKENS.change("demo", "t", Token.State.LOST);
    assertThat(hashes("alice", "2468000000")).as("lost").isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      Idp.TOKENS.countWrong("demo", ALICE, 10, Optional.empty());
    }
    assertThat(hashes("alice", "2468000000")).as("locked").isEqualTo(1);
    Idp.TOKENS.keepPins("demo", ALICE, Optional.empty(), false);
    assertThat(hashes("alice", "2468000000")).as("without a PIN").isEqualTo(1);
  }

  /** It would be the only refusal that costs a stranger nothing. */
  @Test
  void anInventedChallengeCostsAHashAsWell() {
    long before = pins.computed();
    PasscodeResult result =
        idp.context
            .getBean(PasscodeChecks.class)
            .of(idp.realms.find("demo").orElseThrow())
            .orElseThrow()
            .answer("invented", new PasscodeAttempt("alice", "123456", "login:browser", "192.0.2.1"));
    assertThat(result).isEqualTo(new PasscodeResult.Refused(PasscodeResult.Reason.CHALLENGE_UNKNOWN));
    assertThat(pins.computed() - before).isEqualTo(1);
  }
}
