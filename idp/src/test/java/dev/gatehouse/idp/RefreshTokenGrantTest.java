package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.TokenWorld.Answer;
import dev.gatehouse.idp.oauth.Authorization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Case 32 of the attackers' list, and the checks of each refresh. */
final class RefreshTokenGrantTest {

  private static final String REPLAYED =
      "invalid_grant: The refresh token was used before: the authorization is revoked";
  private static final String ENDED = "invalid_grant: The authorization has ended";

  private final TestClient web = TestClient.web("web").resources("https://a.example", "https://b.example");
  private final TestClient graceful = TestClient.web("graceful").grace(Duration.ofSeconds(10));
  private final TestClient page = TestClient.web("page").withoutSecret();
  private final TokenWorld world = new TokenWorld(web, graceful, page, TestClient.web("other"));

  @Test
  void eachUseGivesAnother() {
    Answer first = world.tokens("web", "openid", "read");
    Answer second = world.refresh("web", first.text("refresh_token"));

    assertThat(second.status()).isEqualTo(200);
    assertThat(second.text("scope")).isEqualTo("openid read");
    assertThat(second.text("refresh_token")).isNotEmpty().isNotEqualTo(first.text("refresh_token"));
    assertThat(second.text("access_token")).isNotEqualTo(first.text("access_token"));
    assertThat(second.json().has("id_token")).isFalse();
    assertThat(world.isActive("web", first.text("access_token"))).isTrue();
    assertThat(world.refresh("web", second.text("refresh_token")).status()).isEqualTo(200);
  }

  @Test
  void oneThatWasUsedEndsItsFamily() {
    Answer first = world.tokens("web", "read");
    Answer second = world.refresh("web", first.text("refresh_token"));

    assertThat(world.refresh("web", first.text("refresh_token")).error()).isEqualTo(REPLAYED);
    assertThat(world.refresh("web", second.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(world.isActive("web", first.text("access_token"))).isFalse();
    assertThat(world.isActive("web", second.text("access_token"))).isFalse();
    assertThat(world.audit.events(AuditEvent.AuthorizationEnded.class))
        .extracting(AuditEvent.AuthorizationEnded::cause)
        .containsExactly("replayed");
  }

  /** However long ago it was used. */
  @Test
  void anOldOneEndsItsFamilyToo() {
    Answer first = world.tokens("web", "read");
    Answer last = first;
    for (int i = 0; i < 5; i++) {
      last = world.refresh("web", last.text("refresh_token"));
    }
    assertThat(world.refresh("web", first.text("refresh_token")).error()).isEqualTo(REPLAYED);
    assertThat(world.refresh("web", last.text("refresh_token")).error()).isEqualTo(ENDED);
  }

  /** Each access token contains the ID of the authorization: the ID alone must not end anything. */
  @Test
  void aMadeUpOneEndsNothing() {
    Answer first = world.tokens("web", "read");
    String token = first.text("refresh_token");
    String expected = "invalid_grant: The refresh token was not issued here";
    for (String made :
        List.of(
            token.substring(0, 44) + "A".repeat(token.length() - 44),
            token.substring(0, token.length() - 1) + (token.endsWith("0") ? "1" : "0"),
            token.substring(0, 43),
            token + "0",
            "x",
            ".".repeat(token.length()))) {
      assertThat(world.refresh("web", made).error()).isEqualTo(expected);
    }
    assertThat(world.refresh("web", token).status()).isEqualTo(200);
  }

  @Test
  void anotherClientsIsRefusedAndStaysGood() {
    String token = world.tokens("web", "read").text("refresh_token");
    assertThat(world.refresh("other", token).error()).isEqualTo("invalid_grant: The refresh token is another client's");
    assertThat(world.refresh("web", token).status()).isEqualTo(200);
  }

  @Test
  void scopeMayShrinkForAnAccessTokenAndGrowAgainToWhatWasGranted() {
    String token = world.tokens("web", "read", "write").text("refresh_token");
    Answer less = world.token("web", "grant_type", "refresh_token", "refresh_token", token, "scope", "read");
    assertThat(less.text("scope")).isEqualTo("read");
    String next = less.text("refresh_token");
    Answer more =
        world.token("web", "grant_type", "refresh_token", "refresh_token", next, "scope", "read write email");
    assertThat(more.error()).isEqualTo("invalid_scope: A scope was asked for that was not granted");
    // Refused before the token was used.
    assertThat(world.refresh("web", next).text("scope")).isEqualTo("read write");
  }

  @Test
  void aResourceIsAmongThoseGranted() {
    Authorization agreed =
        world.agreed("web", Optional.empty(), List.of("https://a.example", "https://b.example"), "read");
    Answer first = world.redeem("web", world.code(agreed));
    assertThat(TokenWorld.claims(first.text("access_token")).path("aud").toString())
        .isEqualTo("[\"https://a.example\",\"https://b.example\"]");
    Answer one =
        world.token(
            "web", "grant_type", "refresh_token", "refresh_token", first.text("refresh_token"), "resource",
            "https://b.example");
    assertThat(TokenWorld.claims(one.text("access_token")).path("aud").asString()).isEqualTo("https://b.example");
    Answer other =
        world.token(
            "web", "grant_type", "refresh_token", "refresh_token", one.text("refresh_token"), "resource",
            "https://c.example");
    assertThat(other.error()).isEqualTo("invalid_target: A resource was asked for that was not granted");
  }

  @Test
  void withinTheGraceTheSameSuccessorIsGivenAgain() {
    Answer first = world.tokens("graceful", "read");
    Answer lost = world.refresh("graceful", first.text("refresh_token"));
    world.time.advance(Duration.ofSeconds(9));
    Answer again = world.refresh("graceful", first.text("refresh_token"));
    assertThat(again.text("refresh_token")).isEqualTo(lost.text("refresh_token"));
    assertThat(world.isActive("graceful", again.text("access_token"))).isTrue();
    assertThat(world.refresh("graceful", again.text("refresh_token")).status()).isEqualTo(200);
  }

  @Test
  void theGraceEndsWithTheFirstUseOfTheSuccessor() {
    Answer first = world.tokens("graceful", "read");
    Answer second = world.refresh("graceful", first.text("refresh_token"));
    world.refresh("graceful", second.text("refresh_token"));
    assertThat(world.refresh("graceful", first.text("refresh_token")).error()).isEqualTo(REPLAYED);
  }

  @Test
  void theGraceEndsInTime() {
    Answer first = world.tokens("graceful", "read");
    world.refresh("graceful", first.text("refresh_token"));
    world.time.advance(Duration.ofSeconds(10));
    assertThat(world.refresh("graceful", first.text("refresh_token")).error()).isEqualTo(REPLAYED);
  }

  @Test
  void itEndsWithTheSessionThatItBeganIn() {
    SessionId session = world.login();
    Answer ofSession = world.redeem("web", world.code(world.agreed("web", Optional.of(session), List.of(), "read")));
    Answer offline =
        world.redeem("web", world.code(world.agreed("web", Optional.of(session), List.of(), "read", "offline_access")));
    assertThat(world.isActive("web", ofSession.text("access_token"))).isTrue();

    world.logout(session);

    assertThat(world.refresh("web", ofSession.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(world.isActive("web", ofSession.text("access_token"))).isFalse();
    assertThat(world.isActive("web", offline.text("access_token"))).isTrue();
    assertThat(world.refresh("web", offline.text("refresh_token")).status()).isEqualTo(200);
  }

  @Test
  void aRefreshIsUseOfTheSession() {
    SessionId session = world.login();
    String token =
        world
            .redeem("web", world.code(world.agreed("web", Optional.of(session), List.of(), "read")))
            .text("refresh_token");
    for (int i = 0; i < 4; i++) {
      world.time.advance(Duration.ofMinutes(20));
      token = world.refresh("web", token).text("refresh_token");
    }
    assertThat(token).isNotEmpty();
    // Idle for longer than the realm allows for sessions.
    world.time.advance(Duration.ofMinutes(31));
    assertThat(world.refresh("web", token).error()).isEqualTo(ENDED);
  }

  @Test
  void itEndsWithThePerson() {
    String token = world.tokens("web", "read").text("refresh_token");
    world.directory.remove(FakeDirectory.ALICE);
    world.time.advance(Duration.ofSeconds(31));
    assertThat(world.refresh("web", token).error()).isEqualTo("invalid_grant: The person may not log in any more");
    world.directory.put(FakeDirectory.ALICE, "demo");
    assertThat(world.refresh("web", token).error()).isEqualTo(ENDED);
  }

  /** Whoever leaves is disabled in many directories, and never removed: a token for offline use would go on for good. */
  @Test
  void itEndsWithTheAccount() {
    String token = world.tokens("web", "read").text("refresh_token");
    world.directory.disable(FakeDirectory.ALICE);
    world.time.advance(Duration.ofSeconds(31));
    assertThat(world.refresh("web", token).error()).isEqualTo("invalid_grant: The person may not log in any more");
    world.directory.enable(FakeDirectory.ALICE);
    assertThat(world.refresh("web", token).error()).isEqualTo(ENDED);
  }

  /** An attacker who knew the old password may hold the token. */
  @Test
  void itEndsWithThePassword() {
    SessionId session = world.login();
    Answer ofSession = world.redeem("web", world.code(world.agreed("web", Optional.of(session), List.of(), "read")));
    Answer offline =
        world.redeem("web", world.code(world.agreed("web", Optional.of(session), List.of(), "read", "offline_access")));
    world.authorizations.changed(world.request().context(), FakeDirectory.ALICE.id());
    assertThat(world.refresh("web", offline.text("refresh_token")).error()).isEqualTo(ENDED);
    assertThat(world.isActive("web", offline.text("access_token"))).isFalse();
    // Ends with the session when the session ends.
    assertThat(world.refresh("web", ofSession.text("refresh_token")).status()).isEqualTo(200);
    assertThat(world.audit.events(AuditEvent.AuthorizationEnded.class))
        .extracting(AuditEvent.AuthorizationEnded::cause)
        .containsExactly("password changed");
  }

  @Test
  void whileTheDirectoryIsDownWhatIsKnownCounts() {
    String token = world.tokens("web", "read").text("refresh_token");
    world.directory.down = true;
    world.time.advance(Duration.ofMinutes(5));
    assertThat(world.refresh("web", token).status()).isEqualTo(200);
  }

  @Test
  void itEndsWhenItIsNotUsed() {
    String token = world.tokens("web", "read").text("refresh_token");
    world.time.advance(Duration.ofDays(29));
    String next = world.refresh("web", token).text("refresh_token");
    world.time.advance(Duration.ofDays(29));
    String last = world.refresh("web", next).text("refresh_token");
    world.time.advance(Duration.ofDays(30));
    assertThat(world.refresh("web", last).error()).isEqualTo(ENDED);
  }

  @Test
  void itIsCheckedAgainWhatTheClientMay() {
    Answer first = world.tokens("web", "read", "write");
    world.realms.set(
        TestRealms.change(world.realms.find("demo").orElseThrow())
            .clients(web.scopes("write").config(), TestClient.web("other").config())
            .realm());
    Answer less = world.refresh("web", first.text("refresh_token"));
    assertThat(less.text("scope")).isEqualTo("write");
    world.realms.set(
        TestRealms.change(world.realms.find("demo").orElseThrow()).clients(TestClient.web("other").config()).realm());
    assertThat(world.refresh("web", less.text("refresh_token")).error()).startsWith("invalid_client: ");
  }

  @Test
  void whereTheClientIsGoneItsTokensAre() {
    String token = world.tokens("web", "read").text("access_token");
    assertThat(world.tokenInfo(token).status()).isEqualTo(200);
    world.realms.set(
        TestRealms.change(world.realms.find("demo").orElseThrow()).clients(TestClient.web("other").config()).realm());
    assertThat(world.tokenInfo(token).error())
        .isEqualTo("invalid_token: The token is unknown, has expired or was revoked");
  }

  /** RFC 9449, section 5: nothing else authenticates a public client. */
  @Test
  void aPublicClientsIsBoundToItsKey() {
    TestKey key = TestKey.p256("own");
    String path = "oauth/token";
    Answer first =
        world.send(
            "POST", path, world.proved(Map.of(), key, "POST", path, ""),
            TestBrowser.encode(
                TokenWorld.form(
                    "grant_type", "authorization_code", "client_id", "page", "code",
                    world.code(world.agreed("page", "read")), "redirect_uri", TokenWorld.CALLBACK, "code_verifier",
                    TokenWorld.VERIFIER)));
    assertThat(first.text("token_type")).isEqualTo("DPoP");
    String form =
        TestBrowser.encode(
            TokenWorld.form(
                "grant_type", "refresh_token", "client_id", "page", "refresh_token", first.text("refresh_token")));
    String expected = "invalid_grant: The refresh token is bound to a key that was not proved";
    assertThat(world.send("POST", path, Map.of(), form).error()).isEqualTo(expected);
    Map<String, String> stranger = world.proved(Map.of(), TestKey.p256("stranger"), "POST", path, "");
    assertThat(world.send("POST", path, stranger, form).error()).isEqualTo(expected);
    Answer second = world.send("POST", path, world.proved(Map.of(), key, "POST", path, ""), form);
    assertThat(second.status()).isEqualTo(200);
    assertThat(TokenWorld.claims(second.text("access_token")).path("cnf").path("jkt").asString()).hasSize(43);
  }

  /** FAPI 2.0 Security Profile (Final) 5.3.2.1: a client that lost the answer presents the token that it has. */
  @Test
  void oneThatIsBoundDoesNotRotate() {
    TestKey key = TestKey.p256("own");
    Answer first = bound(key, "grant_type", "authorization_code", "code", world.code(world.agreed("web", "read")),
        "redirect_uri", TokenWorld.CALLBACK, "code_verifier", TokenWorld.VERIFIER);
    String token = first.text("refresh_token");
    for (int i = 0; i < 3; i++) {
      world.time.advance(Duration.ofDays(29));
      Answer next = bound(key, "grant_type", "refresh_token", "refresh_token", token);
      assertThat(next.text("refresh_token")).isEqualTo(token);
      assertThat(world.isActive("web", next.text("access_token"))).isTrue();
    }
    assertThat(world.refresh("web", token).error())
        .as("without a key")
        .isEqualTo("invalid_grant: The refresh token is bound to a key that was not proved");
    world.time.advance(Duration.ofDays(30));
    assertThat(bound(key, "grant_type", "refresh_token", "refresh_token", token).error()).isEqualTo(ENDED);
  }

  private Answer bound(TestKey key, String... form) {
    Map<String, String> headers = world.proved(TokenWorld.basic("web"), key, "POST", "oauth/token", "");
    return world.send("POST", "oauth/token", headers, TestBrowser.encode(TokenWorld.form(form)));
  }
}
