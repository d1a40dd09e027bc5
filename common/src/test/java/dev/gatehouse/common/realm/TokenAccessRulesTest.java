package dev.gatehouse.common.realm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.PolicyConfig.Condition.Weekly;
import dev.gatehouse.common.realm.TokenLogin.Access;
import dev.gatehouse.common.realm.TokenLogin.Limit;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who may come in at which agents and when; and how many people may go. */
final class TokenAccessRulesTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Weekly OFFICE =
      new Weekly(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), LocalTime.of(8, 0), LocalTime.of(18, 0), BERLIN);
  private static final Weekly NIGHT = new Weekly(Set.of(DayOfWeek.FRIDAY), LocalTime.of(22, 0), LocalTime.of(6, 0), BERLIN);

  private static TokenLogin rules(Access... access) {
    TokenLogin usual = TokenLogin.USUAL;
    return new TokenLogin(
        usual.pin(), usual.nextCodeAfter(), usual.lockAfter(), usual.lockFor(), Optional.empty(), List.of(access), Duration.ofDays(1));
  }

  private static Instant berlin(String local) {
    return java.time.LocalDateTime.parse(local).atZone(BERLIN).toInstant();
  }

  @Test
  void anAgentWithoutRuleTakesEverybodyAndOneWithRulesOnlyWhomOneFits() {
    TokenLogin rules =
        rules(
            new Access(Set.of("radius:vpn"), Set.of("Staff"), List.of(OFFICE)),
            new Access(Set.of("radius:vpn", "agent:host"), Set.of("admins"), List.of()));
    Instant monday = berlin("2026-11-23T10:00:00");
    Instant sunday = berlin("2026-11-22T10:00:00");
    assertThat(rules.admits("radius:wifi", List.of(), sunday)).isTrue();
    assertThat(rules.admits("login:browser", List.of(), sunday)).isTrue();
    assertThat(rules.admits("radius:vpn", List.of("staff"), monday)).isTrue();
    assertThat(rules.admits("radius:vpn", List.of("staff"), sunday)).isFalse();
    assertThat(rules.admits("radius:vpn", List.of(), monday)).isFalse();
    assertThat(rules.admits("radius:vpn", List.of("ADMINS"), sunday)).isTrue();
    assertThat(rules.admits("agent:host", List.of("staff"), monday)).isFalse();
    // An agent and a RADIUS client of the same name are two.
    assertThat(rules.admits("agent:vpn", List.of(), sunday)).isTrue();
  }

  @Test
  void hoursAreThoseOfTheNamedZoneAlsoOverMidnightAndWhenClocksAreSet() {
    TokenLogin office = rules(new Access(Set.of("radius:vpn"), Set.of(), List.of(OFFICE)));
    assertThat(office.admits("radius:vpn", List.of(), berlin("2026-11-23T08:00:00"))).isTrue();
    assertThat(office.admits("radius:vpn", List.of(), berlin("2026-11-23T07:59:59"))).isFalse();
    assertThat(office.admits("radius:vpn", List.of(), berlin("2026-11-23T18:00:00"))).isFalse();
    // In summer the same hour is another one of UTC.
    assertThat(office.admits("radius:vpn", List.of(), Instant.parse("2026-07-06T06:00:00Z"))).isTrue();
    assertThat(office.admits("radius:vpn", List.of(), Instant.parse("2026-11-23T06:00:00Z"))).isFalse();
    TokenLogin night = rules(new Access(Set.of("radius:vpn"), Set.of(), List.of(NIGHT)));
    assertThat(night.admits("radius:vpn", List.of(), berlin("2026-11-27T23:00:00"))).isTrue();
    assertThat(night.admits("radius:vpn", List.of(), berlin("2026-11-28T05:59:00"))).isTrue();
    assertThat(night.admits("radius:vpn", List.of(), berlin("2026-11-28T23:00:00"))).isFalse();
    assertThat(night.admits("radius:vpn", List.of(), berlin("2026-11-27T05:00:00"))).isFalse();
  }

  @Test
  void aLimitIsANumberOrAShareThatIsRoundedUp() {
    assertThat(Limit.parse("20").orElseThrow().of(50_000)).isEqualTo(20);
    assertThat(Limit.parse("5%").orElseThrow().of(50_000)).isEqualTo(2_500);
    assertThat(Limit.parse("5%").orElseThrow().of(3)).isEqualTo(1);
    assertThat(Limit.parse("0").orElseThrow().of(50_000)).isZero();
    assertThat(Limit.parse("0%").orElseThrow().of(50_000)).isZero();
    assertThat(Limit.parse("101%")).isEmpty();
    assertThat(Limit.parse("-1")).isEmpty();
    assertThat(Limit.parse("5 %")).isEmpty();
    assertThat(Limit.parse("99999999")).isEmpty();
    assertThat(Limit.parse("")).isEmpty();
  }
}
