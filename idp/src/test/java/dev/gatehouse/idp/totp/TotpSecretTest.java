package dev.gatehouse.idp.totp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TotpSecretTest {

  private static final TotpSecret SECRET = new TotpSecret("12345678901234567890".getBytes(US_ASCII));

  /** RFC 4648, section 10, without padding. */
  @ParameterizedTest
  @CsvSource({"f, MY", "fo, MZXQ", "foo, MZXW6", "foob, MZXW6YQ", "fooba, MZXW6YTB", "foobar, MZXW6YTBOI"})
  void secretsAreWrittenInBase32(String text, String base32) {
    assertThat(new TotpSecret(text.getBytes(US_ASCII)).text()).isEqualTo(base32);
  }

  @Test
  void theAddressForAppsIsEscaped() {
    assertThat(SECRET.uri("Löwen & Co", "a b@c", 6))
        .isEqualTo(
            "otpauth://totp/L%C3%B6wen%20%26%20Co:a%20b%40c?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=L%C3%B6wen%20%26%20Co");
    assertThat(SECRET.uri("X", "a", 8)).endsWith("&digits=8");
    assertThat(SECRET.toString()).isEqualTo("***");
  }

  @Test
  void recoveryCodesAreDistinctAndReadInEverySpelling() {
    Set<String> all = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      List<String> codes = RecoveryCodes.create(new SecureRandom());
      assertThat(codes).hasSize(10).allMatch(code -> code.matches("([0-9a-hjkmnp-tv-z]{4}-){2}[0-9a-hjkmnp-tv-z]{4}"));
      assertThat(codes).allMatch(code -> RecoveryCodes.normal(code).isPresent());
      all.addAll(codes);
    }
    assertThat(all).hasSize(1000);
    assertThat(RecoveryCodes.normal(" ABCD-EFGH jkm0 ")).contains("abcdefghjkm0");
    assertThat(RecoveryCodes.normal("OIL0-0000-0000")).contains("011000000000");
    assertThat(RecoveryCodes.normal("abcd-efgh-jkm")).isEmpty();
    assertThat(RecoveryCodes.normal("abcd-efgh-jkmu")).isEmpty();
    assertThat(RecoveryCodes.normal("x".repeat(5000))).isEmpty();
  }

  @Test
  void thePictureIsTheQrCodeWithItsQuietZone() {
    String text = SECRET.uri("Gatehouse", "alice", 6);
    QrPicture picture = QrPicture.of(text);
    io.nayuki.qrcodegen.QrCode code =
        io.nayuki.qrcodegen.QrCode.encodeText(text, io.nayuki.qrcodegen.QrCode.Ecc.MEDIUM);
    boolean[][] drawn = new boolean[picture.side()][picture.side()];
    var runs = java.util.regex.Pattern.compile("M(\\d+) (\\d+)h(\\d+)v1h-(\\d+)z").matcher(picture.path());
    StringBuilder whole = new StringBuilder();
    while (runs.find()) {
      whole.append(runs.group());
      assertThat(runs.group(3)).isEqualTo(runs.group(4));
      for (int i = 0; i < Integer.parseInt(runs.group(3)); i++) {
        drawn[Integer.parseInt(runs.group(2))][Integer.parseInt(runs.group(1)) + i] = true;
      }
    }
    assertThat(whole.toString()).isEqualTo(picture.path());
    assertThat(picture.side()).isEqualTo(code.size + 8);
    for (int y = 0; y < picture.side(); y++) {
      for (int x = 0; x < picture.side(); x++) {
        assertThat(drawn[y][x]).isEqualTo(code.getModule(x - 4, y - 4));
      }
    }
  }
}
