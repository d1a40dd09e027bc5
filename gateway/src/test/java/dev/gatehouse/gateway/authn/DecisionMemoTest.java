package dev.gatehouse.gateway.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.session.SessionToken;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a connection remembers of the session that was asked for last is never taken for another one. */
class DecisionMemoTest {

  @Test
  void everyTokenHasItsOwnId() {
    DecisionMemo memo = new DecisionMemo(true, () -> 0);
    Random random = new Random(1);
    SessionToken alice = SessionToken.create(random);
    SessionToken bob = SessionToken.create(random);
    char last = alice.value().charAt(42);
    SessionToken near = new SessionToken(alice.value().substring(0, 42) + (last == 'A' ? 'B' : 'A'));
    SessionToken shorter = new SessionToken(alice.value().substring(0, 42));
    for (SessionToken token : new SessionToken[] {alice, near, alice, shorter, alice, bob, bob, near, shorter, alice}) {
      assertThat(memo.id(token)).isEqualTo(token.id());
      assertThat(memo.id(new SessionToken(token.value()))).isEqualTo(token.id());
    }
    assertThat(memo.id(alice)).isSameAs(memo.id(new SessionToken(alice.value())));
  }
}
