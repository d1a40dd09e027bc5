package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Hash;
import dev.gatehouse.common.otp.TokenType.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The vectors of RFC 4226, Appendix D, and RFC 6238, Appendix B. */
final class TokenCodesTest {

  private static final String SEED = "1234567890";

  private static TokenCodes codes(Kind kind, Hash hash, int digits, int seedBytes) {
    byte[] seed = SEED.repeat(7).substring(0, seedBytes).getBytes(StandardCharsets.US_ASCII);
    return new TokenCodes(new TokenType(kind, hash, digits, kind == Kind.TOTP ? 30 : 0), seed);
  }

  @Test
  void codesThatCountAreThoseOfRfc4226() {
    TokenCodes codes = codes(Kind.HOTP, Hash.SHA1, 6, 20);
    assertThat(LongStream.range(0, 10).mapToObj(codes::at))
        .isEqualTo(List.of("755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"));
  }

  @Test
  void codesOfTimeAreThoseOfRfc6238() {
    long[] times = {59, 1111111109L, 1111111111L, 1234567890L, 2000000000L, 20000000000L};
    assertThat(LongStream.of(times).mapToObj(time -> codes(Kind.TOTP, Hash.SHA1, 8, 20).at(time / 30)))
        .isEqualTo(List.of("94287082", "07081804", "14050471", "89005924", "69279037", "65353130"));
    assertThat(LongStream.of(times).mapToObj(time -> codes(Kind.TOTP, Hash.SHA256, 8, 32).at(time / 30)))
        .isEqualTo(List.of("46119246", "68084774", "67062674", "91819424", "90698825", "77737706"));
    assertThat(LongStream.of(times).mapToObj(time -> codes(Kind.TOTP, Hash.SHA512, 8, 64).at(time / 30)))
        .isEqualTo(List.of("90693936", "25091201", "99943326", "93441116", "38618901", "47863826"));
  }

  @Test
  void aCodeIsFoundInItsWindowOnly() {
    TokenCodes codes = codes(Kind.HOTP, Hash.SHA1, 6, 20);
    assertThat(codes.find("969429", 0, 3)).isEqualTo(OptionalLong.of(3));
    assertThat(codes.find("969429", 0, 2)).isEmpty();
    assertThat(codes.find("969429", -5, 3)).isEqualTo(OptionalLong.of(3));
    assertThat(codes.find("96942", 0, 9)).isEmpty();
  }
}
