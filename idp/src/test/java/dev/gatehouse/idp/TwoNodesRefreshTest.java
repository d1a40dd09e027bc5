package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.valkey.SharedValkey;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.idp.TokenWorld.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refresh tokens at two identity providers over one Valkey: what the other node did counts, whatever this one has in memory. */
final class TwoNodesRefreshTest {

  private static final String REPLAYED = "invalid_grant: The refresh token was used before: the authorization is revoked";
  private static final String ENDED = "invalid_grant: The authorization has ended";
  private static final String UNPROVED = "invalid_grant: The refresh token is bound to a key that was not proved";
  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));

  @RegisterExtension static final SharedValkey VALKEY = new SharedValkey();

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final TokenWorld first = node();
  private final TokenWorld second = node();

  /** An identity provider whose authorizations were given already. */
  private TokenWorld node() {
    ValkeyStores stores = VALKEY.stores("idp", SEALING, time);
    TestClient web = TestClient.web("web");
    TestClient graceful = TestClient.web("graceful").grace(Duration.ofSeconds(10));
    TestClient page = TestClient.web("page").withoutSecret();
    return new TokenWorld(TestRealms.demo(), time, stores, SEALING, web, graceful, page, TestClient.web("other"));
  }

  /** The node that gave the token out last knows it as the current one: what another node made of it meanwhile counts. */
  @Test
  void aRefreshTokenThatWasUsedAtTheOtherNodeEndsItsFamily() {
    Answer begun = first.tokens("web", "read");
    Answer ofFirst = first.refresh("web", begun.text("refresh_token"));
    Answer ofSecond = second.refresh("web", ofFirst.text("refresh_token"));
    assertThat(ofSecond.status()).isEqualTo(200);

    assertThat(first.refresh("web", ofFirst.text("refresh_token")).error()).isEqualTo(REPLAYED);
    assertThat(second.refresh("web", ofSecond.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(first.refresh("web", ofSecond.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(first.isActive("web", ofSecond.text("access_token"))).isFalse();
    assertThat(ends(first)).containsExactly("replayed");
    assertThat(ends(second)).isEmpty();
  }

  /** The other node has not seen the authorization before. */
  @Test
  void aRefreshTokenThatIsReplayedAtTheOtherNodeEndsItsFamily() {
    Answer begun = first.tokens("web", "read");
    Answer last = first.refresh("web", begun.text("refresh_token"));
    assertThat(second.refresh("web", begun.text("refresh_token")).error()).isEqualTo(REPLAYED);
    assertThat(first.refresh("web", last.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(ends(second)).containsExactly("replayed");
  }

  private static List<String> ends(TokenWorld node) {
    return node.audit.events(AuditEvent.AuthorizationEnded.class).stream().map(AuditEvent.AuthorizationEnded::cause).toList();
  }

  @Test
  void oneOfTwoNodesThatAreAskedAtOnceTakesARefreshToken() throws Exception {
    List<TokenWorld> both = List.of(first, second);
    for (int round = 0; round < 5; round++) {
      String token = both.getFirst().refresh("web", both.getFirst().tokens("web", "read").text("refresh_token")).text("refresh_token");
      List<Answer> answers;
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Callable<Answer>> asked = both.stream().map(node -> (Callable<Answer>) () -> node.refresh("web", token)).toList();
        answers = threads.invokeAll(asked).stream().map(Future::resultNow).toList();
      }
      assertThat(answers)
          .extracting(answer -> answer.status() == 200 ? "tokens" : answer.error())
          .containsExactlyInAnyOrder("tokens", REPLAYED);
      String next = answers.stream().map(answer -> answer.text("refresh_token")).filter(text -> !text.isEmpty()).findFirst().orElseThrow();
      assertThat(both).extracting(node -> node.refresh("web", next).error()).containsOnly(ENDED);
    }
  }

  /** After half a minute the person would be read again. */
  @ParameterizedTest
  @CsvSource({"false, 0", "false, 31", "true, 0"})
  void anAuthorizationThatIsRevokedAtOneNodeIsRefreshedAtNone(boolean isInMemory, int secondsLater) {
    Answer begun = first.tokens("web", "read");
    Answer last = first.refresh("web", begun.text("refresh_token"));
    if (isInMemory) {
      assertThat(first.isActive("web", last.text("access_token"))).isTrue();
    }
    assertThat(second.post("oauth/revoke", "web", TokenWorld.form("token", last.text("refresh_token"))).status()).isEqualTo(200);
    time.advance(Duration.ofSeconds(secondsLater));
    assertThat(first.refresh("web", last.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(second.refresh("web", last.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(ends(first)).isEmpty();
    assertThat(ends(second)).containsExactly("revoked");
  }

  /** Whoever holds a token of an authorization that has ended must not keep the person's session open. */
  @Test
  void aRefreshAfterARevocationAtTheOtherNodeIsNoUseOfTheSession() {
    SessionId session = first.login();
    time.advance(Duration.ofMinutes(10));
    Answer begun = first.redeem("web", first.code(first.agreed("web", Optional.of(session), List.of(), "read")));
    Instant end = first.sessions.begunAs("demo", session).orElseThrow().expiresAt();
    assertThat(second.post("oauth/revoke", "web", TokenWorld.form("token", begun.text("refresh_token"))).status()).isEqualTo(200);
    assertThat(first.refresh("web", begun.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(first.sessions.begunAs("demo", session).orElseThrow().expiresAt()).isEqualTo(end);
    assertThat(second.sessions.begunAs("demo", session).orElseThrow().expiresAt()).isEqualTo(end);
  }

  @Test
  void aSessionThatEndsAtOneNodeEndsItsAuthorizationsAtTheOther() {
    SessionId session = first.login();
    Answer begun = first.redeem("web", first.code(first.agreed("web", Optional.of(session), List.of(), "read")));
    Answer last = first.refresh("web", begun.text("refresh_token"));
    assertThat(last.status()).isEqualTo(200);
    second.logout(session);
    // The session itself is in memory here, until Valkey tells.
    Eventually.holds(() -> first.sessions.begunAs("demo", session).isEmpty());
    assertThat(first.refresh("web", last.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(second.refresh("web", last.text("refresh_token")).error()).isEqualTo(ENDED);
  }

  @Test
  void theGraceOfARefreshTokenIsThatOfBothNodes() {
    String begun = first.tokens("graceful", "read").text("refresh_token");
    String next = first.refresh("graceful", begun).text("refresh_token");
    assertThat(second.refresh("graceful", begun).text("refresh_token")).as("an answer that was lost").isEqualTo(next);
    assertThat(first.refresh("graceful", begun).text("refresh_token")).isEqualTo(next);

    String last = second.refresh("graceful", next).text("refresh_token");
    assertThat(first.refresh("graceful", next).text("refresh_token")).as("not another one of its own").isEqualTo(last).isNotEmpty();
    time.advance(Duration.ofSeconds(10));
    assertThat(first.refresh("graceful", next).error()).isEqualTo(REPLAYED);
    assertThat(second.refresh("graceful", last).error()).isEqualTo(ENDED);
  }

  @Test
  void theGraceEndsWhenTheSuccessorIsUsedAtTheOtherNode() {
    String begun = first.tokens("graceful", "read").text("refresh_token");
    String next = first.refresh("graceful", begun).text("refresh_token");
    assertThat(second.refresh("graceful", next).status()).isEqualTo(200);
    assertThat(first.refresh("graceful", begun).error()).isEqualTo(REPLAYED);
    assertThat(first.refresh("graceful", next).error()).isEqualTo(ENDED);
  }

  @Test
  void aRefreshTokenIsRefusedToOtherClientsAtBothNodesAndStaysGood() {
    String token = first.refresh("web", first.tokens("web", "read").text("refresh_token")).text("refresh_token");
    String expected = "invalid_grant: The refresh token is another client's";
    assertThat(first.refresh("other", token).error()).isEqualTo(expected);
    assertThat(second.refresh("other", token).error()).isEqualTo(expected);
    assertThat(second.refresh("web", token).status()).isEqualTo(200);
  }

  /** A public client's token does not rotate, so that each node may know it from long ago. */
  @Test
  void aBoundRefreshTokenNeedsItsKeyAtBothNodesUntilItIsRevokedAtOne() {
    TestKey key = TestKey.p256("own");
    String code = first.code(first.agreed("page", "read"));
    Map<String, String> exchange =
        TokenWorld.form(
            "client_id", "page", "grant_type", "authorization_code", "code", code, "redirect_uri", TokenWorld.CALLBACK, "code_verifier",
            TokenWorld.VERIFIER);
    String token = bound(first, key, exchange).text("refresh_token");
    Map<String, String> refresh = TokenWorld.form("client_id", "page", "grant_type", "refresh_token", "refresh_token", token);
    for (TokenWorld node : List.of(first, second, first)) {
      assertThat(bound(node, key, refresh).text("refresh_token")).isEqualTo(token);
      assertThat(node.postPublic("oauth/token", refresh).error()).isEqualTo(UNPROVED);
      assertThat(bound(node, TestKey.p256("stranger"), refresh).error()).isEqualTo(UNPROVED);
    }
    assertThat(second.postPublic("oauth/revoke", TokenWorld.form("client_id", "page", "token", token)).status()).isEqualTo(200);
    assertThat(bound(first, key, refresh).error()).isEqualTo(ENDED);
    assertThat(bound(second, key, refresh).error()).isEqualTo(ENDED);
  }

  private static Answer bound(TokenWorld node, TestKey key, Map<String, String> form) {
    return node.send("POST", "oauth/token", node.proved(Map.of(), key, "POST", "oauth/token", ""), TestBrowser.encode(form));
  }
}
