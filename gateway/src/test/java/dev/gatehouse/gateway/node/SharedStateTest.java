package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SharedStateTest {

  /** A node of a version before the sequence of PostgreSQL was kept has written an empty copy: the next version starts on it. */
  @Test
  void theCopyOfAFormerVersionHasNoSequenceOfTheDatabase() {
    assertThat(SharedState.number(new byte[0])).isZero();
    assertThat(SharedState.number(ByteBuffer.allocate(Long.BYTES).putLong(4711).array())).isEqualTo(4711);
  }
}
