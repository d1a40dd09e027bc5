package dev.gatehouse.idp.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What nodes of different versions read of each other's first steps. */
final class PassedFirstFactorsTest {

  @Test
  void aFirstStepByPasskeyOrTokenHasANumberThatFormerVersionsRefuse() {
    assertThat(number(LoginContract.PASSWORD, AuthnLevel.PROTECTED_PASSWORD)).as("they read it").isEqualTo((byte) 1);
    assertThat(number(LoginContract.SYNCED_PASSKEY, AuthnLevel.PROTECTED_PASSWORD)).isEqualTo((byte) 3);
    assertThat(number(LoginContract.TOKEN, AuthnLevel.TOKEN)).isEqualTo((byte) 3);
  }

  private static byte number(LoginContract contract, AuthnLevel level) {
    PassedFirstFactors.Codec codec = new PassedFirstFactors.Codec();
    PassedFirstFactor step =
        new PassedFirstFactor("demo", new PersonId("a11ce"), new AuthnEvent(Instant.EPOCH, contract, level), "browser", Optional.empty());
    byte[] bytes = codec.encode(step);
    assertThat(codec.decode(bytes)).isEqualTo(step);
    return bytes[0];
  }
}
