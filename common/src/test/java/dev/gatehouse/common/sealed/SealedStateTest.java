package dev.gatehouse.common.sealed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionToken;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedStateTest {

  private static final byte[] PAYLOAD = "return=/invoices&nonce=abc".getBytes(UTF_8);

  @TempDir Path data;

  private final SecureRandom random = new SecureRandom();
  private final TestTime time = new TestTime();
  private final SealingKey key = SealingKey.inMemory(random);
  private final SessionToken browser = SessionToken.create(random);
  private final SealedState state = state(key, "sp login", 1);

  private SealedState state(SealingKey sealing, String purpose, int version) {
    return new SealedState(sealing, purpose, version, time, random);
  }

  private String seal() {
    return state.seal("demo", browser, "_1", PAYLOAD, time.instant().plus(Duration.ofHours(1)));
  }

  @Test
  void whatWasSealedOpensForItsBrowserUntilItExpires() {
    String sealed = seal();
    assertThat(sealed).matches("[A-Za-z0-9_-]+").isNotEqualTo(seal());
    assertThat(Base64.getUrlDecoder().decode(sealed)).hasSize(PAYLOAD.length + SealedState.OVERHEAD);
    time.advance(Duration.ofHours(1).minusMillis(1));
    assertThat(state.open("demo", browser, "_1", sealed))
        .isInstanceOfSatisfying(UnsealResult.Opened.class, opened -> assertThat(opened.payload()).isEqualTo(PAYLOAD));
    time.advance(Duration.ofMillis(1));
    assertThat(state.open("demo", browser, "_1", sealed)).isInstanceOf(UnsealResult.Expired.class);
  }

  @Test
  void nobodyElsesOpens() {
    String sealed = seal();
    assertUnreadable(state.open("demo", SessionToken.create(random), "_1", sealed));
    assertUnreadable(state.open("other", browser, "_1", sealed));
    assertUnreadable(state.open("demo", browser, "_2", sealed));
    assertUnreadable(state(key, "idp login", 1).open("demo", browser, "_1", sealed));
    assertUnreadable(state(key, "sp login", 2).open("demo", browser, "_1", sealed));
    assertUnreadable(state(SealingKey.inMemory(random), "sp login", 1).open("demo", browser, "_1", sealed));
  }

  @Test
  void noBitCanBeChanged() {
    byte[] sealed = Base64.getUrlDecoder().decode(seal());
    for (int bit = 0; bit < 8 * sealed.length; bit++) {
      byte[] changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
      assertUnreadable(state.open("demo", browser, "_1", text));
    }
  }

  @Test
  void whatWasNeverSealedIsUnreadable() {
    for (String text : new String[] {"", "x", "a b;c", "AAAA", "A".repeat(2000), seal() + "A", seal().substring(4)}) {
      assertUnreadable(state.open("demo", browser, "_1", text));
    }
  }

  @Test
  void everyNodeWithTheSameSealingKeyOpens() {
    String sealed =
        state(new SealingKey(data, random), "sp login", 1)
            .seal("demo", browser, "_1", PAYLOAD, time.instant().plusSeconds(1));
    assertThat(state(new SealingKey(data, random), "sp login", 1).open("demo", browser, "_1", sealed))
        .isInstanceOf(UnsealResult.Opened.class);
  }

  private static void assertUnreadable(UnsealResult opening) {
    assertThat(opening).isInstanceOf(UnsealResult.Unreadable.class);
  }
}
