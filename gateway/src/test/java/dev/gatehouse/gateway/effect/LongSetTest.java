package dev.gatehouse.gateway.effect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LongSetTest {

  @Test
  void itIsASet() {
    LongSet set = new LongSet();
    Set<Long> plain = new HashSet<>();
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      // Few different low bits: places collide.
      long value = random.nextLong() << 20 | random.nextInt(64);
      assertThat(set.contains(value)).isEqualTo(plain.contains(value));
      assertThat(set.add(value)).isEqualTo(plain.add(value));
      assertThat(set.add(value)).isFalse();
    }
    assertThat(set.size()).isEqualTo(plain.size());
    assertThat(plain).allMatch(set::contains);
  }

  @Test
  void aSampleIsAboutHalf() {
    LongSet set = new LongSet();
    for (int i = 0; i < 10_000; i++) {
      set.add(Fingerprint.with(3, "/path/" + i));
    }
    assertThat(set.sampled(1).size()).isBetween(4_700, 5_300);
    assertThat(set.sampled(3).size()).isBetween(1_050, 1_450);
  }
}
