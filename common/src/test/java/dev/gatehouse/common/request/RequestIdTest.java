package dev.gatehouse.common.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.page.References;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdTest {

  private static final InetAddress CLIENT = InetAddress.ofLiteral("192.0.2.1");

  @Test
  void idsHaveTwelveCharactersAndUseAllOfTheAlphabet() {
    SplittableRandom random = new SplittableRandom(7);
    Set<String> ids = new HashSet<>();
    Set<Integer> first = new HashSet<>();
    Set<Integer> last = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      String id = RequestId.create(random::nextLong);
      assertThat(id).hasSize(12);
      ids.add(id);
      first.add((int) id.charAt(0));
      last.add((int) id.charAt(11));
    }
    assertThat(ids).hasSize(100_000).allMatch(RequestId::isUsable).allMatch(id -> id.matches("[2-9a-hjkmnp-z]{12}"));
    assertThat(ids).allMatch(RequestId::isCreated);
    assertThat(first).hasSize(31);
    assertThat(last).hasSize(31);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a\n", "\u00e4", "a.b", "a:b", "<", "${x}", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})
  void othersAreNotUsable(String id) {
    assertThat(RequestId.isUsable(id)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "23456789abc", "23456789abcde", "23456789ABCD", "23456789abc1", "23456789abc-", "f2b6a1de-9b0c-4c58-8a51-1c6c8c7c4d4e"
      })
  void othersHaveAnotherForm(String id) {
    assertThat(RequestId.isCreated(id)).isFalse();
  }

  @Test
  void referencesAndAuditEventsOfARequestHaveItsId() throws InterruptedException {
    SplittableRandom random = new SplittableRandom(1);
    assertThat(RequestId.current()).isEmpty();
    assertThat(References.create(random::nextLong)).isNotEqualTo(References.create(random::nextLong));
    assertThat(Context.of("demo", CLIENT).reference()).isEmpty();
    String seen =
        RequestId.call(
            "the-id",
            () -> {
              assertThat(References.create(random::nextLong)).isEqualTo("the-id");
              assertThat(Context.of("demo", CLIENT).reference()).contains("the-id");
              return RequestId.current().orElseThrow();
            });
    assertThat(seen).isEqualTo("the-id");
    assertThat(RequestId.current()).isEmpty();
    assertThat(RequestId.<Boolean, RuntimeException>call("", () -> RequestId.current().isEmpty())).isTrue();
  }

  @Test
  void failuresPassThrough() {
    assertThatThrownBy(
            () ->
                RequestId.call(
                    "the-id",
                    () -> {
                      throw new IOException("the work failed");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(RequestId.current()).isEmpty();
  }
}
