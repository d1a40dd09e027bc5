package dev.gatehouse.common.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenSealTest {

  private static final SessionToken ALICE = new SessionToken("a".repeat(43));
  private static final SessionToken BOB = new SessionToken("b".repeat(43));
  private static final byte[] SESAME = "sesame".getBytes(StandardCharsets.UTF_8);

  private final Random random = new Random(7);
  private final TokenSeal seal = new TokenSeal("test");

  @Test
  void opensForItsTokenAndContextAlone() {
    byte[] sealed = seal.seal(ALICE, "alice", SESAME, random);
    assertThat(seal.open(ALICE, "alice", sealed)).contains(SESAME);
    assertThat(seal.open(BOB, "alice", sealed)).isEmpty();
    assertThat(seal.open(ALICE, "bob", sealed)).isEmpty();
    assertThat(new TokenSeal("other").open(ALICE, "alice", sealed)).isEmpty();
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("sesame");
  }

  @Test
  void everyChangedBitIsNoticed() {
    byte[] sealed = seal.seal(ALICE, "alice", SESAME, random);
    for (int bit = 0; bit < sealed.length * 8; bit++) {
      byte[] changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(seal.open(ALICE, "alice", changed)).as("bit %d", bit).isEmpty();
    }
    assertThat(seal.open(ALICE, "alice", new byte[3])).isEmpty();
    assertThat(seal.open(ALICE, "alice", new byte[12])).isEmpty();
  }

  @Test
  void isAnotherEachTime() {
    assertThat(seal.seal(ALICE, "alice", SESAME, random)).isNotEqualTo(seal.seal(ALICE, "alice", SESAME, random));
  }
}
