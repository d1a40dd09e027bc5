package dev.gatehouse.idp.otp.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Hash;
import dev.gatehouse.common.otp.TokenType.Kind;
import dev.gatehouse.idp.otp.seed.SeedEntry.Seed;
import dev.gatehouse.idp.otp.seed.SeedEntry.Unusable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeds in lines of values. */
final class CsvSeedsTest {

  private static final byte[] SECRET = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final String HEX = HexFormat.of().formatHex(SECRET);

  private static List<SeedEntry> read(String text) {
    return CsvSeeds.read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void columnsHaveTheirNamesAndDefaults() {
    List<SeedEntry> entries =
        read(
            "\uFEFFserial,seed_hex,type,hash,digits,period,counter,expires\r\n"
                + "a-1," + HEX + ",,,,,,\r\n"
                + "\r\n"
                + "a-2," + HEX + ",hotp,SHA-512,8,,17,2028-01-31T00:00:00Z\r\n");
    assertThat(((Seed) entries.getFirst()).type()).isEqualTo(TokenType.USUAL);
    assertThat(((Seed) entries.getFirst()).secret()).isEqualTo(SECRET);
    Seed second = (Seed) entries.get(1);
    assertThat(second.number()).isEqualTo(4);
    assertThat(second.type()).isEqualTo(new TokenType(Kind.HOTP, Hash.SHA512, 8, 0));
    assertThat(second.counter()).isEqualTo(17);
    assertThat(second.expiresAt()).contains(Instant.parse("2028-01-31T00:00:00Z"));
  }

  @Test
  void tokensThatAnswerChallengesHaveASuite() {
    String header = "serial,seed_hex,type,suite,counter\n";
    Seed seed = (Seed) read(header + "a," + HEX + ",ocra,OCRA-1:HOTP-SHA256-8:C-QN08,4").getFirst();
    assertThat(seed.type()).isEqualTo(new TokenType(Kind.OCRA, Hash.SHA256, 8, 0, Optional.of("OCRA-1:HOTP-SHA256-8:C-QN08")));
    assertThat(seed.counter()).isEqualTo(4);
    assertThat(((Unusable) read(header + "a," + HEX + ",ocra,,").getFirst()).reason()).contains("`suite`");
    assertThat(((Unusable) read(header + "a," + HEX + ",totp,OCRA-1:HOTP-SHA1-6:QN08,").getFirst()).reason()).contains("`suite`");
    assertThat(((Unusable) read(header + "a," + HEX + ",ocra,OCRA-1:HOTP-SHA1-6:QX08,").getFirst()).reason()).contains("QN, QA or QH");
    assertThat(((Unusable) read(header + "a," + HEX + ",ocra,OCRA-1:HOTP-SHA1-6:QN07,").getFirst()).reason()).contains("at least 8 digits");
    assertThat(((Unusable) read(header + "a," + HEX + ",ocra,OCRA-1:HOTP-SHA1-6:QH05,").getFirst()).reason()).contains("6 characters");
    assertThat(read(header + "a," + HEX + ",ocra,OCRA-1:HOTP-SHA1-6:QN04-T1M,").getFirst()).isInstanceOf(Seed.class);
    assertThat(((Unusable) read(header + "a," + HEX + ",ocra,OCRA-1:HOTP-SHA1-4:QN08,").getFirst()).reason()).contains("6 to 8");
    assertThat(((Unusable) read(header + "a," + HEX + ",ocra,OCRA-1:HOTP-SHA1-6:QN08-S064,").getFirst()).reason()).contains("session");
    assertThat(((Unusable) read(header + "a," + HEX + ",app,,").getFirst()).reason()).contains("totp, hotp or ocra");
  }

  @Test
  void anEndIsATimeThatDatabasesCanStore() {
    for (String end : List.of("+1000000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2200-01-01T00:00:00Z")) {
      assertThat(((Unusable) read("serial,seed_hex,expires\na," + HEX + "," + end).getFirst()).reason()).as(end).contains("2000 to 2199");
    }
  }

  /** RFC 4648, section 10, and the secret of the RFCs. */
  @Test
  void base32IsTakenWithAndWithoutPadding() {
    String secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    for (String text : List.of(secret, secret.toLowerCase(java.util.Locale.ROOT), secret + "====")) {
      assertThat(((Seed) read("serial,seed_base32\na," + text).getFirst()).secret()).isEqualTo(SECRET);
    }
    assertThat(((Unusable) read("serial,seed_base32\na,GEZ1").getFirst()).reason()).contains("no base32");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "serial", "seed_hex", "serial,seed", "serial,seed_hex,seed_base32", "serial,seed_hex,serial", "serial,seed_hex"})
  void aFileWithoutItsHeaderIsRefused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(SeedFileUnreadable.class);
  }

  @Test
  void aWrongLineIsNamedWithoutItsSeed() {
    String header = "serial,seed_hex,type,digits,period,counter\n";
    for (String line :
        List.of(
            "a," + HEX, "a," + HEX + ",ocra,6,30,0", "a," + HEX + ",totp,5,30,0", "a," + HEX + ",totp,6,31,0", "a," + HEX + ",hotp,6,30,-1",
            "a b," + HEX + ",totp,6,30,0", "a,00,totp,6,30,0", "a," + HEX + "0,totp,6,30,0", "report," + HEX + ",totp,6,30,0",
            "app-1," + HEX + ",totp,6,30,0", "App-1," + HEX + ",totp,6,30,0",
            "a," + HEX.repeat(30) + ",totp,6,30,0", "," + HEX + ",totp,6,30,0")) {
      assertThat(read(header + line)).as(line).singleElement().isInstanceOfSatisfying(
          Unusable.class,
          entry -> {
            assertThat(entry.number()).isEqualTo(2);
            assertThat(entry.reason()).isNotBlank().doesNotContain(HEX);
          });
    }
  }
}
