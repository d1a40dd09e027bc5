package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.TokenWorld.Answer;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.token.IssuedCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 25 to 27 of the attackers' list, at the token endpoint. */
final class AuthorizationCodeGrantTest {

  private static final String API = "https://api.example";

  private final TokenWorld world =
      new TokenWorld(
          TestClient.web("web").resources(API, "https://other.example"),
          TestClient.web("opaque").opaque(),
          TestClient.web("other"),
          TestClient.web("page").withoutSecret(),
          TestClient.web("certified").withoutPkce(),
          TestClient.web("hybrid").grants(GrantType.HYBRID),
          TestClient.web("machine").grants(GrantType.CLIENT_CREDENTIALS),
          TestClient.web("broken").encryptedIdTokens());

  @Test
  void aCodeGivesTokensForWhatWasAgreed() {
    Answer answer = world.redeem("web", world.code(world.agreed("web", "openid", "read")));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Cache-Control")).contains("no-store");
    assertThat(answer.text("token_type")).isEqualTo("Bearer");
    assertThat(answer.json().path("expires_in").asInt()).isEqualTo(300);
    assertThat(answer.text("scope")).isEqualTo("openid read");
    assertThat(TokenWorld.claims(answer.text("id_token")).path("nonce").asString()).isEqualTo("n-0S6_WzA2Mj");
    assertThat(answer.text("refresh_token")).isNotEmpty();
    assertThat(world.isActive("web", answer.text("access_token"))).isTrue();
  }

  @Test
  void withoutOpenidThereIsNoIdToken() {
    Answer answer = world.redeem("web", world.code(world.agreed("web", "read")));
    assertThat(answer.json().has("id_token")).isFalse();
  }

  @Test
  void withoutTheRefreshGrantThereIsNoRefreshToken() {
    Answer answer = world.redeem("hybrid", world.code(world.agreed("hybrid", "read")));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().has("refresh_token")).isFalse();
  }

  @Test
  void aPublicClientProvesItselfByPkceAlone() {
    Answer answer =
        world.postPublic(
            "oauth/token",
            TokenWorld.form(
                "grant_type", "authorization_code", "client_id", "page", "code", world.code(world.agreed("page", "read")),
                "redirect_uri", TokenWorld.CALLBACK, "code_verifier", TokenWorld.VERIFIER));
    assertThat(answer.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"web", "opaque"})
  void aCodeUsedTwiceIsRefusedAndWhatItGaveIsRevoked(String client) {
    String code = world.code(world.agreed(client, "read"));
    Answer first = world.redeem(client, code);
    Answer second = world.redeem(client, code);

    assertThat(second.status()).isEqualTo(400);
    assertThat(second.error()).isEqualTo("invalid_grant: The code was used before: what it gave is revoked");
    assertThat(world.isActive(client, first.text("access_token"))).isFalse();
    assertThat(world.refresh(client, first.text("refresh_token")).error())
        .isEqualTo("invalid_grant: The authorization has ended");
    assertThat(world.audit.events(AuditEvent.AuthorizationEnded.class))
        .extracting(AuditEvent.AuthorizationEnded::cause)
        .containsExactly("replayed");
  }

  @Test
  void ofParallelUsesExactlyOneWinsAndWhatItGotIsRevoked() throws Exception {
    for (int round = 0; round < 20; round++) {
      String code = world.code(world.agreed("opaque", "read"));
      List<Answer> answers = together(8, () -> world.redeem("opaque", code));
      List<Answer> won = answers.stream().filter(answer -> answer.status() == 200).toList();
      assertThat(won).hasSize(1);
      assertThat(answers)
          .filteredOn(answer -> answer.status() != 200)
          .allSatisfy(answer -> assertThat(answer.error()).startsWith("invalid_grant: The code was used before"));
      assertThat(world.isActive("opaque", won.getFirst().text("access_token"))).isFalse();
    }
  }

  private static <T> List<T> together(int callers, Callable<T> call) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return call.call();
                }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }

  @Test
  void anUnknownAndAnExpiredCodeAreRefusedAlike() {
    String code = world.code(world.agreed("web", "read"));
    world.time.advance(Duration.ofSeconds(61));
    String expected = "invalid_grant: The code is unknown or has expired";
    assertThat(world.redeem("web", code).error()).isEqualTo(expected);
    assertThat(world.redeem("web", "SplxlOBeZQQYbYS6WxSbIA").error()).isEqualTo(expected);
  }

  /**
   * An attacker who only knows the ID of an authorization, from an access token, cannot end anything with invented
   * codes.
   */
  @Test
  void aMadeUpCodeEndsNothing() {
    Authorization agreed = world.agreed("web", "read");
    world.redeem("web", world.code(agreed));
    world.redeem("web", agreed.id().value() + "." + "A".repeat(43));
    assertThat(world.stands(agreed)).isTrue();
  }

  @Test
  void anotherClientsCodeIsRefusedAndUsedUp() {
    String code = world.code(world.agreed("web", "read"));
    assertThat(world.redeem("other", code).error()).isEqualTo("invalid_grant: The code is another client's");
    assertThat(world.redeem("web", code).error()).startsWith("invalid_grant: The code was used before");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://client.example.com/cb/",
        "https://client.example.com/CB",
        "https://client.example.com/cb?x=1",
        "https://client.example.com/cb#f",
        "https://client.example.com:443/cb",
        "https://client.example.com/%63b",
        "https://evil@client.example.com/cb"
      })
  void anotherRedirectUriIsRefused(String redirectUri) {
    Answer answer =
        world.token(
            "web", "grant_type", "authorization_code", "code", world.code(world.agreed("web", "read")),
            "redirect_uri", redirectUri, "code_verifier", TokenWorld.VERIFIER);
    assertThat(answer.error()).isEqualTo("invalid_grant: The redirect_uri is not that of the authorization request");
  }

  @Test
  void theRedirectUriIsThereExactlyWhereTheRequestHadIt() {
    Answer missing =
        world.token(
            "web", "grant_type", "authorization_code", "code", world.code(world.agreed("web", "read")),
            "code_verifier", TokenWorld.VERIFIER);
    String without =
        world.codes.issue(
            new IssuedCode(
                world.agreed("web", "read"), Optional.empty(), Optional.of(TokenWorld.CHALLENGE), Optional.empty()),
            Duration.ofSeconds(60));
    String refused = "invalid_grant: The redirect_uri is not that of the authorization request";
    assertThat(missing.error()).isEqualTo(refused);
    assertThat(world.redeem("web", without).error()).isEqualTo(refused);
  }

  @Test
  void aWrongOrMissingVerifierIsRefused() {
    assertThat(withVerifier("x".repeat(43)).error()).isEqualTo("invalid_grant: The code_verifier does not fit");
    // The challenge itself: an attacker has seen it in the authorization request.
    assertThat(withVerifier(TokenWorld.CHALLENGE).error()).isEqualTo("invalid_grant: The code_verifier does not fit");
    assertThat(withVerifier("").error()).isEqualTo("invalid_grant: The code_verifier is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"short", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjX!", "äBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjX"})
  void aVerifierOfAnotherFormIsRefused(String verifier) {
    assertThat(withVerifier(verifier).error()).isEqualTo("invalid_request: The code_verifier is malformed");
  }

  private Answer withVerifier(String verifier) {
    return world.token(
        "web", "grant_type", "authorization_code", "code", world.code(world.agreed("web", "read")),
        "redirect_uri", TokenWorld.CALLBACK, "code_verifier", verifier);
  }

  private String codeWithoutChallenge(String client) {
    return world.codes.issue(
        new IssuedCode(
            world.agreed(client, "read"), Optional.of(TokenWorld.CALLBACK), Optional.empty(), Optional.empty()),
        Duration.ofSeconds(60));
  }

  /**
   * A code issued before the client had to use PKCE is as invalid as one from which an attacker removed the challenge.
   */
  @Test
  void aCodeWithoutChallengeIsRefusedWhereTheClientNeedsOne() {
    Answer answer =
        world.token(
            "web", "grant_type", "authorization_code", "code", codeWithoutChallenge("web"),
            "redirect_uri", TokenWorld.CALLBACK);
    assertThat(answer.error())
        .isEqualTo("invalid_grant: The code has no code_challenge, which the client needs");
  }

  @Test
  void aVerifierThatNobodyAskedForIsRefused() {
    assertThat(world.redeem("certified", codeWithoutChallenge("certified")).error())
        .isEqualTo("invalid_grant: A code_verifier was sent for a code without code_challenge");
    Answer without =
        world.token(
            "certified", "grant_type", "authorization_code", "code", codeWithoutChallenge("certified"),
            "redirect_uri", TokenWorld.CALLBACK);
    assertThat(without.status()).isEqualTo(200);
  }

  @Test
  void aCodeBoundToADpopKeyNeedsItsProof() {
    String code =
        world.codes.issue(
            new IssuedCode(
                world.agreed("web", "read"), Optional.of(TokenWorld.CALLBACK), Optional.of(TokenWorld.CHALLENGE),
                Optional.of("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")),
            Duration.ofSeconds(60));
    assertThat(world.redeem("web", code).error()).isEqualTo("invalid_grant: The code is bound to another DPoP key");
  }

  @Test
  void itIsCheckedAgainWhetherTheClientMay() {
    assertThat(world.redeem("machine", world.code(world.agreed("machine", "read"))).error())
        .isEqualTo("unauthorized_client: The client may not use this grant_type");
    String code = world.code(world.agreed("web", "gone"));
    assertThat(world.redeem("web", code).error())
        .isEqualTo("invalid_scope: The client may not have any of these scopes any more");
  }

  @Test
  void itIsCheckedAgainWhetherThePersonMay() {
    SessionId session = world.login();
    String ofSession = world.code(world.agreed("web", Optional.of(session), List.of(), "read"));
    world.logout(session);
    assertThat(world.redeem("web", ofSession).error())
        .isEqualTo("invalid_grant: The session that it began in has ended");

    String code = world.code(world.agreed("web", "read"));
    world.directory.remove(FakeDirectory.ALICE);
    world.time.advance(Duration.ofSeconds(31));
    assertThat(world.redeem("web", code).error()).isEqualTo("invalid_grant: The person may not log in any more");
  }

  @Test
  void aResourceIsAmongThoseGranted() {
    Authorization agreed = world.agreed("web", Optional.empty(), List.of(API), "read");
    Answer wrong =
        world.token(
            "web", "grant_type", "authorization_code", "code", world.code(agreed), "redirect_uri", TokenWorld.CALLBACK,
            "code_verifier", TokenWorld.VERIFIER, "resource", "https://other.example");
    assertThat(wrong.error()).isEqualTo("invalid_target: A resource was asked for that was not granted");

    Answer right = world.redeem("web", world.code(world.agreed("web", Optional.empty(), List.of(API), "read")));
    assertThat(TokenWorld.claims(right.text("access_token")).path("aud").asString()).isEqualTo(API);
  }

  @Test
  void ourIssuerIsAResourceOfEachClientAsWithoutOne() {
    Answer both = world.redeem("web", world.code(world.agreed("web", Optional.empty(), List.of(API, TokenWorld.ISSUER), "read")));
    assertThat(TokenWorld.claims(both.text("access_token")).path("aud").toString())
        .isEqualTo("[\"" + API + "\",\"" + TokenWorld.ISSUER + "\"]");
    Answer named =
        world.token(
            "web", "grant_type", "authorization_code", "code", world.code(world.agreed("web", "read")), "redirect_uri",
            TokenWorld.CALLBACK, "code_verifier", TokenWorld.VERIFIER, "resource", TokenWorld.ISSUER);
    assertThat(TokenWorld.claims(named.text("access_token")).path("aud").asString()).isEqualTo(TokenWorld.ISSUER);
    Answer wider =
        world.token(
            "web", "grant_type", "authorization_code", "code",
            world.code(world.agreed("web", Optional.empty(), List.of(API), "read")), "redirect_uri", TokenWorld.CALLBACK,
            "code_verifier", TokenWorld.VERIFIER, "resource", TokenWorld.ISSUER);
    assertThat(wider.error()).isEqualTo("invalid_target: A resource was asked for that was not granted");
  }

  @Test
  void whereTheIdTokenCannotBeMadeNothingIsIssued() {
    Authorization agreed = world.agreed("broken", "openid");
    Answer answer = world.redeem("broken", world.code(agreed));
    assertThat(answer.status()).isGreaterThanOrEqualTo(400);
    assertThat(answer.error()).doesNotStartWith("invalid_grant");
    assertThat(answer.json().has("access_token")).isFalse();
    assertThat(world.stands(agreed)).isFalse();
    assertThat(world.audit.events(AuditEvent.TokensIssued.class)).isEmpty();
  }

  @Test
  void whereItCannotBeAuditedNothingIsIssued() {
    Authorization agreed = world.agreed("web", "read");
    String code = world.code(agreed);
    world.audit.breakDown(true);
    Answer answer = world.redeem("web", code);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.error()).isEqualTo("temporarily_unavailable: Try again later");
    assertThat(answer.header("Retry-After")).contains("10");
    assertThat(world.stands(agreed)).isFalse();
  }

  @Test
  void theCodesParametersAreNeeded() {
    assertThat(world.token("web", "grant_type", "authorization_code").error())
        .isEqualTo("invalid_request: The parameter code is missing");
    Answer twice =
        world.send(
            "POST", "oauth/token", TokenWorld.basic("web"),
            "grant_type=authorization_code&code=a&code=b&redirect_uri=c");
    assertThat(twice.error()).isEqualTo("invalid_request: The parameter code occurs more than once");
    assertThat(twice.reply().headers().first("Location")).isEmpty();
    assertThat(twice.status()).isEqualTo(400);
  }
}
