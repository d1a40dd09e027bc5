package dev.gatehouse.common.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefreshPlanTest {

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private final RefreshPlan plan = new RefreshPlan(new Random(1));

  @ParameterizedTest(name = "configured {0}, cacheDuration {1}, valid for {2}: {3}")
  @CsvSource({
    "PT1H, , , PT1H",
    "PT1H, PT10M, , PT10M",
    "PT1H, PT5H, , PT1H",
    "PT1H, PT0S, , PT30S",
    "PT10S, PT0S, , PT10S",
    "PT1H, , PT40M, PT20M",
    "PT1H, , PT1S, PT1S",
    "PT1H, PT10M, PT10M, PT5M",
  })
  void afterSuccess(Duration configured, Duration cache, Duration valid, Duration expected) {
    PartnerMetadata metadata =
        new PartnerMetadata(
            "https://a.example",
            Optional.ofNullable(valid).map(NOW::plus),
            Optional.ofNullable(cache),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    Duration delay = plan.afterSuccess(configured, metadata, NOW);

    assertThat(delay).isBetween(expected.multipliedBy(9).dividedBy(10), expected);
  }

  @ParameterizedTest(name = "failure {0}, serving {1}: {2}")
  @CsvSource({
    "1, false, PT0.1S",
    "2, false, PT0.2S",
    "5, false, PT1.6S",
    "1, true, PT1S",
    "3, true, PT4S",
    "30, false, PT5M",
    "2000000000, true, PT5M",
  })
  void afterFailure(int failures, boolean serving, Duration expected) {
    Duration delay = plan.afterFailure(failures, serving);

    assertThat(delay).isBetween(expected.multipliedBy(8).dividedBy(10), expected.multipliedBy(12).dividedBy(10));
  }

  @Test
  void partnersDoNotAskAtTheSameMoment() {
    assertThat(plan.afterFailure(10, true)).isNotEqualTo(plan.afterFailure(10, true));
  }
}
