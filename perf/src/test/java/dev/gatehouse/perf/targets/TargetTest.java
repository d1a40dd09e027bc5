package dev.gatehouse.perf.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.targets.Target.Met;
import org.junit.jupiter.api.Test;

class TargetTest {

  @Test
  void lessIsBetterForCostsAndMoreForRates() {
    assertThat(Target.TRANSACTION.met(2.5)).isEqualTo(Met.AIM);
    assertThat(Target.TRANSACTION.met(2.51)).isEqualTo(Met.LEAST);
    assertThat(Target.TRANSACTION.met(3.51)).isEqualTo(Met.MISSED);
    assertThat(Target.PERSISTENT.met(-0.2)).isEqualTo(Met.AIM);
    assertThat(Target.SIGN_ON_RSA.met(0.7)).isEqualTo(Met.AIM);
    assertThat(Target.SIGN_ON_RSA.met(0.6)).isEqualTo(Met.LEAST);
    assertThat(Target.SIGN_ON_RSA.met(0.599)).isEqualTo(Met.MISSED);
    assertThat(Target.CODE_BESIDE_KEYCLOAK.met(4.9)).isEqualTo(Met.MISSED);
  }

  @Test
  void whatIsWantedIsSaidInWords() {
    assertThat(Target.TRANSACTION.wanted()).isEqualTo("at most 3.5 ms, aim 2.5 ms");
    assertThat(Target.SIGN_ON_P256.wanted()).isEqualTo("at least 5,500 a CPU second, aim 8,000 a CPU second");
    assertThat(Target.PUBLIC_PAGE.wanted()).isEqualTo("at least 100 %, aim 110 %");
    assertThat(Target.CODE_BESIDE_KEYCLOAK.wanted()).isEqualTo("at least 5 x, aim 8 x");
    assertThat(Target.WARM_SIGN_ON.wanted()).isEqualTo("at most 15 s");
  }

  @Test
  void valuesHaveThreeDigits() {
    assertThat(Target.PASSWORD.text(0.43721)).isEqualTo("0.437 ms");
    assertThat(Target.PASSWORD.text(0.45)).isEqualTo("0.45 ms");
    assertThat(Target.PERSISTENT.text(-0.05)).isEqualTo("-0.05 ms");
    assertThat(Target.PERSISTENT.text(0)).isEqualTo("0 ms");
    assertThat(Target.SIGN_ON_RSA.text(0.89139)).isEqualTo("89.1 %");
    assertThat(Target.SIGN_ON_P256.text(4_681.4)).isEqualTo("4,681 a CPU second");
    assertThat(Target.IDLE_DEMO.text(297.2)).isEqualTo("297 MB");
  }

  /** What is wanted at least is never more than the aim. */
  @Test
  void theAimIsTheFurtherOne() {
    assertThat(Target.values()).allMatch(each -> each.met(each.aim()) == Met.AIM && each.met(each.least()) != Met.MISSED);
    assertThat(Target.values()).allMatch(each -> each.least() == each.aim() || each.met(each.least()) == Met.LEAST);
  }
}
