package dev.gatehouse.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests as wrk gets them. */
class WrkLoadTest {

  @Test
  void noCharacterOfARequestEndsItsStringOrMeansAnotherOne() {
    String script = WrkLoad.script(List.of("POST /a HTTP/1.1\r\nX: \"1\\2\"\r\n\r\nq=1", "GET /b HTTP/1.1\r\n\r\n"));
    assertThat(script)
        .contains(
            "\"POST /a HTTP/1.1\\013\\010X: \\0341\\0922\\034\\013\\010\\013\\010q=1\",\n\"GET /b HTTP/1.1\\013\\010\\013\\010\"}");
  }
}
