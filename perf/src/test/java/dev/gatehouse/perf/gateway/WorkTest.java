package dev.gatehouse.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkTest {

  @Test
  void sharesOfNginxAreThoseOfTheTargets() {
    assertThat(Work.PUBLIC_PAGE.wanted()).isEqualTo("1.00 | 1.10");
    assertThat(Work.PROTECTED_PAGE.wanted()).isEqualTo("0.92 | 1.00");
    assertThat(Work.PASS_THROUGH.wanted()).isEqualTo("0.97 | 1.05");
    assertThat(Work.EXTRANET_COOKIE.wanted()).isEqualTo("0.85 | 0.95");
    assertThat(Work.EXTRANET_PASSWORD.wanted()).isEqualTo("0.82 | 0.90");
    assertThat(Work.PASS_THROUGH_TLS.wanted()).isEqualTo("0.85 | 1.00");
    assertThat(Work.LARGE_PAGE.wanted()).as("nothing is wanted of it").isEqualTo(" | ");
  }
}
