package dev.gatehouse.common.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a line is read as it was written, and nothing else is taken for one. */
final class AuditLinkTest {

  private static final String CHAIN = "00112233445566778899aabbccddeeff";

  private static Optional<AuditLink> read(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    return AuditLink.of(bytes, 0, bytes.length);
  }

  private static String line(String seq, String chain) {
    return "{\"event\":\"E\",\"seq\":" + seq + ",\"chain\":\"" + chain + "\"}\n";
  }

  @Test
  void readsWhatItWrote() {
    AuditLink link = AuditLink.NONE;
    for (int i = 0; i < 1_000; i++) {
      AuditLink.Linked linked = link.append(("{\"number\":" + i + "}\n").getBytes(StandardCharsets.US_ASCII), Sha256.instance());
      link = linked.link();
      assertThat(AuditLink.of(linked.line(), 0, linked.line().length).orElseThrow().isSame(link)).isTrue();
    }
    assertThat(read(line("" + Long.MAX_VALUE, CHAIN)).orElseThrow().seq()).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775808", "9999999999999999999", "18446744073709551617", "99999999999999999999", "-1", "", "1x"
      })
  void aNumberThatIsNoneIsRefused(String seq) {
    assertThat(read(line(seq, CHAIN))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"00112233445566778899AABBCCDDEEFF", "0011223344556677 899aabbccddeeff", "0011223344556677\u00b299aabbccddeeff8"})
  void aChainOfOtherLettersIsRefused(String chain) {
    assertThat(read(line("1", CHAIN))).isPresent();
    assertThat(read(line("1", chain))).isEmpty();
  }

  @Test
  void theKindOfAnEventIsReadFromItsPlace() {
    String line = "{\"time\":\"2026-11-27T06:00:00.000Z\",\"event\":\"PasscodeDecided\",\"realm\":\"a\"}\n";
    assertThat(AuditSegments.event(line.getBytes(StandardCharsets.US_ASCII))).contains("PasscodeDecided");
    String time = "{\"time\":\"2026-11-27T06:00:00.000Z\"";
    for (String other :
        List.of("", "{}\n", time + ",\"event\":\"Passcode", time + ",\"event\":\"A\\u0042\"", time + ",\"realm\":\"E\"}\n")) {
      assertThat(AuditSegments.event(other.getBytes(StandardCharsets.US_ASCII))).as(other).isEmpty();
    }
  }
}
