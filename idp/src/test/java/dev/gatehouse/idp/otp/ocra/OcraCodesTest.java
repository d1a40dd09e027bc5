package dev.gatehouse.idp.otp.ocra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All vectors of RFC 6287, appendix C, and suites that are none. */
final class OcraCodesTest {

  private static final String SEED = "1234567890";

  /** Mar 25 2008, 12:06:30 GMT, in minutes. */
  private static final long STEP = 0x132d0b6;

  private static String code(String suite, int seedBytes, long counter, String challenge) throws Exception {
    byte[] seed = SEED.repeat(7).substring(0, seedBytes).getBytes(StandardCharsets.US_ASCII);
    return new OcraCodes(OcraSuite.parse(suite), seed).of(new OcraCodes.Input(counter, challenge, "1234", new byte[0], STEP));
  }

  private static List<String> codes(String suite, int seedBytes, Stream<String> challenges) {
    List<String> all = challenges.toList();
    return IntStream.range(0, all.size())
        .mapToObj(
            i -> {
              try {
                return code(suite, seedBytes, i, all.get(i));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            })
        .toList();
  }

  private static Stream<String> repeated(int number) {
    return IntStream.range(0, number).mapToObj(i -> Integer.toString(i).repeat(8));
  }

  @Test
  void oneWayByChallenge() {
    assertThat(codes("OCRA-1:HOTP-SHA1-6:QN08", 20, repeated(10)))
        .containsExactly("237653", "243178", "653583", "740991", "608993", "388898", "816933", "224598", "750600", "294470");
  }

  @Test
  void oneWayByCounterChallengeAndPin() {
    assertThat(codes("OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1", 32, Stream.generate(() -> "12345678").limit(10)))
        .containsExactly(
            "65347737", "86775851", "78192410", "71565254", "10104329", "65983500", "70069104", "91771096", "75011558", "08522129");
  }

  @Test
  void oneWayByChallengeAndPin() {
    assertThat(codes("OCRA-1:HOTP-SHA256-8:QN08-PSHA1", 32, repeated(5)))
        .containsExactly("83238735", "01501458", "17957585", "86776967", "86807031");
  }

  @Test
  void oneWayByCounterAndChallenge() {
    assertThat(codes("OCRA-1:HOTP-SHA512-8:C-QN08", 64, repeated(10)))
        .containsExactly(
            "07016083", "63947962", "70123924", "25341727", "33203315", "34205738", "44343969", "51946085", "20403879", "31409299");
  }

  @Test
  void oneWayByChallengeAndTime() {
    assertThat(codes("OCRA-1:HOTP-SHA512-8:QN08-T1M", 64, repeated(5)))
        .containsExactly("95209754", "55907591", "22048402", "24218844", "36209546");
  }

  private static Stream<String> both(String first, int one, String second, int two) {
    return IntStream.range(0, 5).mapToObj(i -> first + (one + i) + second + (two + i));
  }

  @Test
  void mutualByTwoChallenges() {
    assertThat(codes("OCRA-1:HOTP-SHA256-8:QA08", 32, both("CLI", 22220, "SRV", 11110)))
        .containsExactly("28247970", "01984843", "65387857", "03351211", "83412541");
    assertThat(codes("OCRA-1:HOTP-SHA256-8:QA08", 32, both("SRV", 11110, "CLI", 22220)))
        .containsExactly("15510767", "90175646", "33777207", "95285278", "28934924");
    assertThat(codes("OCRA-1:HOTP-SHA512-8:QA08", 64, both("CLI", 22220, "SRV", 11110)))
        .containsExactly("79496648", "76831980", "12250499", "90856481", "12761449");
    assertThat(codes("OCRA-1:HOTP-SHA512-8:QA08-PSHA1", 64, both("SRV", 11110, "CLI", 22220)))
        .containsExactly("18806276", "70020315", "01600026", "18951020", "32528969");
  }

  @Test
  void signatures() {
    assertThat(codes("OCRA-1:HOTP-SHA256-8:QA08", 32, IntStream.range(0, 5).mapToObj(i -> "SIG" + (10000 + 1000 * i))))
        .containsExactly("53095496", "04110475", "31331128", "76028668", "46554205");
    assertThat(codes("OCRA-1:HOTP-SHA512-8:QA10-T1M", 64, IntStream.range(0, 5).mapToObj(i -> "SIG" + (1000000 + 100000 * i))))
        .containsExactly("77537423", "31970405", "10235557", "95213541", "65360607");
  }

  @Test
  void suitesAreReadAsTheyAreWritten() throws Exception {
    OcraSuite all = OcraSuite.parse("OCRA-1:HOTP-SHA512-10:C-QH64-PSHA256-S512-T48H");
    assertThat(all.digits()).isEqualTo(10);
    assertThat(all.counter()).isTrue();
    assertThat(all.challenge()).isEqualTo(new OcraSuite.Challenge(OcraSuite.Format.HEXADECIMAL, 64));
    assertThat(all.session()).hasValue(512);
    assertThat(all.step()).hasValue(48 * 3600);
    assertThat(OcraSuite.parse("OCRA-1:HOTP-SHA1-0:QA04-T59S").step()).hasValue(59);
    assertThat(code("OCRA-1:HOTP-SHA1-0:QA04", 20, 0, "SIGN")).hasSize(40);
    assertThat(new OcraSuite.Challenge(OcraSuite.Format.NUMERIC, 8).create(new Random(1))).matches("[0-9]{8}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "OCRA-1", "OCRA-1:HOTP-SHA1-6", "OCRA-2:HOTP-SHA1-6:QN08", "ocra-1:HOTP-SHA1-6:QN08", "OCRA-1:HOTP-MD5-6:QN08",
        "OCRA-1:HOTP-SHA1-3:QN08", "OCRA-1:HOTP-SHA1-11:QN08", "OCRA-1:HOTP-SHA1-06:QN08", "OCRA-1:HOTP-SHA1-6:C", "OCRA-1:HOTP-SHA1-6:QN03",
        "OCRA-1:HOTP-SHA1-6:QN65", "OCRA-1:HOTP-SHA1-6:QN8", "OCRA-1:HOTP-SHA1-6:QX08", "OCRA-1:HOTP-SHA1-6:QN08-C",
        "OCRA-1:HOTP-SHA1-6:QN08-T1M-PSHA1", "OCRA-1:HOTP-SHA1-6:QN08-T60S", "OCRA-1:HOTP-SHA1-6:QN08-T49H", "OCRA-1:HOTP-SHA1-6:QN08-T0M",
        "OCRA-1:HOTP-SHA1-6:QN08-S064-S064", "OCRA-1:HOTP-SHA1-6:QN08-PMD5", "OCRA-1:HOTP-SHA1-6:QN08:", "OCRA-1:HOTP-SHA1-6:QN08 ",
        "OCRA-1:HOTP-SHA1-6:-QN08", "OCRA-1:HOTP-SHA1-6:QN08-"
      })
  void whatIsNoSuiteIsRefusedWithWhatWouldBeRight(String text) {
    assertThatThrownBy(() -> OcraSuite.parse(text)).isInstanceOf(OcraSuiteUnreadable.class).hasMessageEndingWith(".");
  }
}
