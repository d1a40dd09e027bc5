package dev.gatehouse.idp.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a stranger sent, on its way to the log. */
final class RefusalsTest {

  @Test
  void case63WhatIsRefusedBeginsNoLineOfTheLogAndDoesNotFillIt() {
    assertThat(Refusals.printable("x\r\nforged\u2028line\u0085\u001b[31m\u202eabc")).isEqualTo("x??forged?line??[31m?abc");
    assertThat(Refusals.printable("https://app.example/Öl?a=b c")).isEqualTo("https://app.example/Öl?a=b c");
    assertThat(Refusals.printable("a".repeat(200_000))).hasSizeLessThan(400);
  }
}
