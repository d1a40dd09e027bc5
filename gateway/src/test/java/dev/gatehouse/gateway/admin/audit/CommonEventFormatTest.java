package dev.gatehouse.gateway.admin.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CommonEventFormatTest {

  /** Whoever types a name at a login page must neither add a line for a reader of the file, nor command a terminal. */
  @Test
  void aTypedNameStaysOnItsLineAndCommandsNoTerminal() {
    String event =
        """
        {"time":"2026-11-23T17:00:00Z","event":"LoginRefused","seq":1,"realm":"demo","client":"192.0.2.1",\
        "name":"a\\u001b[2J\\u009b1m\\u0085CEF:0|b\\u2028c\\u202ed\\ne=f","reason":"WRONG_PASSWORD"}""";
    String line = CommonEventFormat.line(event.getBytes(StandardCharsets.UTF_8));
    assertThat(line).contains("suser=a?[2J?1m?CEF:0|b?c?d\\ne\\=f ");
    assertThat(line.chars().noneMatch(Character::isISOControl)).isTrue();
  }
}
