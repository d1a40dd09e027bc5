package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NearCachesTest {

  /** A connection that was lost for a moment before an outage takes away nothing that may be served in it. */
  @Test
  void whenEachConnectionEndedIsKnown() {
    NearCaches caches = new NearCaches();
    long first = caches.epoch();
    assertThat(caches.ended(first)).isEmpty();

    long before = System.nanoTime();
    caches.unverified();
    caches.unverified();

    assertThat(caches.epoch()).isEqualTo(first + 2);
    assertThat(caches.ended(first)).hasValueSatisfying(at -> assertThat(at - before).isNotNegative());
    assertThat(caches.ended(first + 1)).hasValueSatisfying(at -> assertThat(at - before).isNotNegative());
    assertThat(caches.ended(first + 2)).isEmpty();
  }
}
