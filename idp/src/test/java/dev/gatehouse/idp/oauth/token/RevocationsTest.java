package dev.gatehouse.idp.oauth.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.store.MemoryStores;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RevocationsTest {

  private final TestTime time = new TestTime();

  @Test
  void tokensThatWereIssuedBeforeALossOfRevocationsCountAsRevoked() {
    Instant loss = time.instant();
    Revocations revocations =
        new Revocations(new MemoryStores(time).singleUse(Revocations.STORE, new Revocations.Codec()), loss, time);
    assertThat(revocations.isRevoked(token("a", loss.minusMillis(1)))).isTrue();
    assertThat(revocations.isRevoked(token("b", loss))).isFalse();
    revocations.revoke("b", loss.plusSeconds(60));
    assertThat(revocations.isRevoked(token("b", loss))).isTrue();
  }

  private static AccessToken token(String id, Instant issued) {
    return new AccessToken(
        id, "demo", "client", Optional.empty(), Optional.empty(), "client", Set.of(), List.of(), Optional.empty(),
        new AccessToken.Validity(issued, issued.plusSeconds(600)));
  }
}
