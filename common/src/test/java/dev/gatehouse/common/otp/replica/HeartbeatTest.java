package dev.gatehouse.common.otp.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which copy is too old, and which record replaces a primary. */
class HeartbeatTest {

  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

  @Test
  void aCopyIsComparedWithAPrimaryThatAnswersAndOtherwiseWithTheTime() {
    Optional<Instant> copied = Optional.of(NOW.minusSeconds(40));
    assertThat(Heartbeat.problem(copied, Optional.of(NOW), NOW)).hasValueSatisfying(why -> assertThat(why).contains("40 s behind", "otp push --replace"));
    assertThat(Heartbeat.problem(copied, Optional.of(NOW.minusSeconds(20)), NOW)).isEmpty();
    assertThat(Heartbeat.problem(copied, Optional.of(NOW.minusSeconds(60)), NOW)).as("a primary without nodes").isEmpty();
    assertThat(Heartbeat.problem(copied, Optional.empty(), NOW)).as("away").isEmpty();
    assertThat(Heartbeat.problem(copied, Optional.empty(), NOW.plus(Duration.ofDays(3))))
        .hasValueSatisfying(why -> assertThat(why).contains("more than 3 days", "otp nominate"));
    assertThat(Heartbeat.problem(Optional.empty(), Optional.of(NOW), NOW)).isPresent();
  }

  @Test
  void anotherServerOfTheSameEpochReplacesAPrimary() {
    PrimaryRecord berlin = new PrimaryRecord(2, "berlin");
    assertThat(new PrimaryRecord(2, "paris").replaces(berlin)).isTrue();
    assertThat(new PrimaryRecord(3, "paris").replaces(berlin)).isTrue();
    assertThat(new PrimaryRecord(1, "paris").replaces(berlin)).isFalse();
    assertThat(new PrimaryRecord(3, "berlin").replaces(berlin)).isFalse();
  }
}
