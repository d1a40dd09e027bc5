package dev.gatehouse.sp.idtoken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.result.Result;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** A fuzzer whose seeds are refused at once finds nothing. */
class IdTokenFuzzSeedsTest {

  @Test
  void theSecondSeedIsALogoutTokenThatCounts() {
    String[] parts = new String(IdTokenFuzz.seeds().getLast(), StandardCharsets.UTF_8).split("\n", 2);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String text =
        base64.encodeToString(parts[0].getBytes(StandardCharsets.UTF_8)) + "."
            + base64.encodeToString(parts[1].getBytes(StandardCharsets.UTF_8)) + ".AAAA";
    assertThat(ReceivedJwt.read(text, OwnKey.REFUSED))
        .isInstanceOfSatisfying(
            Result.Accepted.class,
            passed ->
                assertThat(
                        LogoutTokenRules.refusal(
                            (ReceivedJwt) passed.value(), "us", Instant.ofEpochSecond(1_800_000_000)))
                    .isEmpty());
  }
}
