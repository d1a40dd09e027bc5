package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.CompressionAlgorithm;
import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditEvent.SessionEnded;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.sealed.SealedState;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.MemoryStores;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logout requested by a client (OpenID Connect RP-Initiated Logout 1.0; SECURITY-CASES 37 and 39). */
final class ClientLogoutTest {

  private static final String PATH = "/realms/demo/oauth/logout";
  private static final String RETURN = "https://app.example/signed-out";

  private final OAuthApp app = new OAuthApp();
  private final Idp idp;
  private final TestBrowser browser;
  private final String idToken;

  ClientLogoutTest() {
    app.logout = new Logout(List.of(RETURN), Optional.empty(), true, Optional.empty(), true);
    OAuthApp other = new OAuthApp();
    other.id = "other";
    idp = new Idp(OAuthApp.realm(app, other));
    browser = OAuthApp.signedIn(idp, "alice");
    idToken = app.exchange(idp, OAuthApp.code(app.ask(browser))).path("id_token").asString();
  }

  private EdgeReply ask(String... parameters) {
    return browser.get(PATH + "?" + query(parameters));
  }

  private static String query(String... parameters) {
    StringBuilder query = new StringBuilder();
    for (int i = 0; i < parameters.length; i += 2) {
      query.append(i == 0 ? "" : "&").append(parameters[i]).append('=');
      query.append(URLEncoder.encode(parameters[i + 1], StandardCharsets.UTF_8));
    }
    return query.toString();
  }

  private boolean isSignedIn() {
    return browser.get("/realms/demo/account").status() == 200;
  }

  private List<String> reasons() {
    return idp.audit.events(MessageRefused.class).stream().map(MessageRefused::reason).toList();
  }

  private void wasRefused(EdgeReply reply, String reason) {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.headers().first("Location")).isEmpty();
    assertThat(reply.headers().first("Refresh")).isEmpty();
    assertThat(reasons()).containsExactly(reason);
    assertThat(isSignedIn()).isTrue();
  }

  @Test
  void withTheIdTokenItEndsAtOnceAndLeadsBack() {
    EdgeReply reply = ask("id_token_hint", idToken, "post_logout_redirect_uri", RETURN, "state", "a b&c");
    assertThat(reply.status()).isEqualTo(303);
    assertThat(reply.headers().first("Location")).hasValue(RETURN + "?state=a%20b%26c");
    assertThat(isSignedIn()).isFalse();
    assertThat(browser.cookies.keySet()).noneMatch(name -> name.startsWith("gh_state") || name.startsWith("gh_idp"));
    assertThat(idp.audit.events(SessionEnded.class)).singleElement()
        .satisfies(ended -> assertThat(ended.cause()).isEqualTo("logout"));
  }

  /** Tokens of any age are accepted: sessions outlive their ID tokens. */
  @Test
  void anExpiredIdTokenDoes() {
    idp.time.advance(Duration.ofMinutes(20));
    assertThat(ask("id_token_hint", idToken, "post_logout_redirect_uri", RETURN).headers().first("Location"))
        .hasValue(RETURN);
    assertThat(isSignedIn()).isFalse();
  }

  /** OpenID Connect Core 3.1.2.1: for clients whose ID tokens are encrypted. */
  @Test
  void anIdTokenThatIsEncryptedToUsDoes() throws Exception {
    RSAKey key = encryptionKey();
    JWEHeader.Builder header = new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM);
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none", "id_token_hint", encrypted(header.build(), key, "x"))))
        .isEqualTo("invalid_request: id_token_hint is no ID token of ours");
    String good = encrypted(header.keyID(key.getKeyID()).build(), key, idToken);
    assertThat(OAuthApp.code(app.ask(browser, "prompt", "none", "id_token_hint", good))).isNotEmpty();
    assertThat(ask("id_token_hint", good, "post_logout_redirect_uri", RETURN).headers().first("Location"))
        .hasValue(RETURN);
    assertThat(isSignedIn()).isFalse();
  }

  @Test
  void anEncryptedHintThatIsNotAsItMustBeIsRefused() throws Exception {
    RSAKey key = encryptionKey();
    RSAKey stranger = RSAKey.parse(TestKey.rsa("stranger").jwk());
    JWEHeader.Builder usual = new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM);
    for (String hint :
        List.of(
            encrypted(usual.build(), stranger, idToken),
            encrypted(new JWEHeader.Builder(usual.build()).compressionAlgorithm(CompressionAlgorithm.DEF).build(), key, idToken),
            encrypted(new JWEHeader.Builder(usual.build()).keyID("unknown").build(), key, idToken),
            encrypted(new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_512, EncryptionMethod.A256GCM).build(), key, idToken),
            "a.b.c.d.e")) {
      assertThat(ask("id_token_hint", hint).status()).isEqualTo(400);
      assertThat(OAuthApp.error(app.ask(browser, "prompt", "none", "id_token_hint", hint)))
          .isEqualTo("invalid_request: id_token_hint is no ID token of ours");
    }
    assertThat(isSignedIn()).isTrue();
  }

  private RSAKey encryptionKey() throws ParseException {
    return JWKSet.parse(idp.browser().get("/realms/demo/oauth/jwks").text()).getKeys().stream()
        .filter(key -> KeyUse.ENCRYPTION.equals(key.getKeyUse()))
        .map(JWK::toRSAKey)
        .findFirst()
        .orElseThrow();
  }

  private static String encrypted(JWEHeader header, RSAKey key, String text) throws JOSEException {
    JWEObject object = new JWEObject(header, new Payload(text));
    object.encrypt(new RSAEncrypter(key));
    return object.serialize();
  }

  @Test
  void withoutTheIdTokenThePersonIsAsked() {
    EdgeReply question = ask("client_id", OAuthApp.ID, "post_logout_redirect_uri", RETURN, "state", "1");
    assertThat(question.text()).contains("Do you want to sign out?", "alice");
    assertThat(question.headers().first("Content-Security-Policy").orElse("")).contains("frame-ancestors 'none'");
    assertThat(question.headers().first("X-Frame-Options")).hasValue("DENY");
    assertThat(isSignedIn()).isTrue();
    EdgeReply done = confirm(question, TestBrowser.field(question.text(), "csrf"));
    assertThat(done.headers().first("Refresh")).hasValue("0;url=" + RETURN + "?state=1");
    assertThat(isSignedIn()).isFalse();
  }

  @Test
  void theQuestionSpeaksTheLanguageThatTheClientWants() {
    assertThat(ask("client_id", OAuthApp.ID, "ui_locales", "fr de").text()).contains("lang=\"de\"");
    assertThat(ask("client_id", OAuthApp.ID).text()).contains("lang=\"en\"");
  }

  private EdgeReply confirm(EdgeReply question, String csrf) {
    return browser.post(PATH, Map.of("csrf", csrf, "ask", TestBrowser.field(question.text(), "ask")));
  }

  /** SECURITY-CASE 39: neither another site's page nor another form of ours can answer for the person. */
  @Test
  void nobodyElseAnswersTheQuestion() {
    EdgeReply question = ask("client_id", OAuthApp.ID);
    String account = TestBrowser.field(browser.get("/realms/demo/logout").text(), "csrf");
    for (String csrf : List.of("", "x", account)) {
      assertThat(confirm(question, csrf).text()).contains("Do you want to sign out?");
    }
    browser.headers =
        Map.of("Accept", "text/html", "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site");
    assertThat(confirm(question, TestBrowser.field(question.text(), "csrf")).text()).contains("Do you want to sign out?");
    browser.headers = Map.of("Accept", "text/html");
    assertThat(isSignedIn()).isTrue();
  }

  @Test
  void anotherPersonsIdTokenIsAnsweredByTheQuestion() {
    TestBrowser bobs = OAuthApp.signedIn(idp, "bob");
    String bob = app.exchange(idp, OAuthApp.code(app.ask(bobs))).path("id_token").asString();
    EdgeReply question = ask("id_token_hint", bob, "post_logout_redirect_uri", RETURN);
    assertThat(question.text()).contains("Do you want to sign out?", "alice");
    assertThat(isSignedIn()).isTrue();
  }

  /** SECURITY-CASE 37. */
  @ParameterizedTest
  @ValueSource(strings = {"HEADER.CLAIMS.AAAA", "HEADER.CLAIMS.", "NONE.CLAIMS.", "x", "HEADER.OTHER.SIGNATURE", "ACCESS"})
  void aForgedIdTokenIsRefused(String form) {
    String[] parts = idToken.split("\\.");
    String other =
        base64(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8).replace("\"sub\":\"", "\"sub\":\"0"));
    String access =
        app.exchange(idp, OAuthApp.code(app.ask(browser))).path("access_token").asString();
    String forged =
        form.replace("HEADER", parts[0])
            .replace("CLAIMS", parts[1])
            .replace("OTHER", other)
            .replace("SIGNATURE", parts[2])
            .replace("NONE", base64("{\"alg\":\"none\"}"))
            .replace("ACCESS", access);
    wasRefused(ask("id_token_hint", forged, "post_logout_redirect_uri", RETURN), "HINT_NOT_OURS");
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** SECURITY-CASE 37: exactly as registered, or not at all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        RETURN + "/", RETURN + "?x=1", RETURN + "#x", "https://app.example/", "https://app.example.evil.example/signed-out",
        "https://app.example@evil.example/signed-out", "HTTPS://APP.EXAMPLE/signed-out", "javascript:alert(1)",
        OAuthApp.CALLBACK
      })
  void anAddressThatIsNotTheClientsIsNotGoneTo(String uri) {
    wasRefused(
        ask("id_token_hint", idToken, "post_logout_redirect_uri", uri), "POST_LOGOUT_REDIRECT_URI_UNKNOWN");
  }

  @Test
  void nobodyAsksInAnothersName() {
    wasRefused(ask("id_token_hint", idToken, "client_id", "other"), "HINT_OF_ANOTHER_CLIENT");
  }

  @Test
  void anUnknownClientIsRefused() {
    wasRefused(ask("client_id", "nobody"), "CLIENT_UNKNOWN");
  }

  /** The owner of the address is unknown: the person stays here. */
  @Test
  void withoutAClientNoAddressIsGoneTo() {
    EdgeReply question = ask("post_logout_redirect_uri", "https://evil.example/", "state", "1");
    assertThat(question.text()).contains("Do you want to sign out?");
    EdgeReply done = confirm(question, TestBrowser.field(question.text(), "csrf"));
    assertThat(done.headers().first("Refresh")).isEmpty();
    assertThat(done.text()).contains("You are signed out").doesNotContain("evil");
  }

  /** No parameter at all, only a state, or only a client. */
  @ParameterizedTest
  @ValueSource(strings = {"", "state=x", "client_id=app"})
  void withLittleThePersonIsAskedAndStaysHere(String query) {
    EdgeReply question = browser.get(PATH + "?" + query);
    assertThat(question.text()).contains("Do you want to sign out?");
    EdgeReply done = confirm(question, TestBrowser.field(question.text(), "csrf"));
    assertThat(done.headers().first("Refresh")).isEmpty();
    assertThat(done.text()).contains("You are signed out");
    assertThat(isSignedIn()).isFalse();
  }

  @Test
  void parametersStandOnce() {
    EdgeReply reply = browser.get(PATH + "?" + query("client_id", "app", "client_id", "other"));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(isSignedIn()).isTrue();
  }

  /** The POST comes without cookies and continues as a GET, which brings them. */
  @Test
  void aPostFromTheClientsPageDoes() {
    EdgeReply saved =
        browser.postFromElsewhere(
            PATH, Map.of("id_token_hint", idToken, "post_logout_redirect_uri", RETURN, "state", "x"));
    assertThat(saved.headers().first("Location").orElse("")).startsWith(PATH + "?ask=").doesNotContain(idToken);
    assertThat(browser.follow(saved).headers().first("Location")).hasValue(RETURN + "?state=x");
    assertThat(isSignedIn()).isFalse();
  }

  /** Checked values are sealed: nobody else can create them, and they expire. */
  @Test
  void onlyWeSayWhatWasChecked() {
    EdgeReply saved = browser.postFromElsewhere(PATH, Map.of("id_token_hint", idToken));
    String address = saved.headers().first("Location").orElseThrow();
    char last = address.charAt(address.length() - 2);
    String changed = address.substring(0, address.length() - 2) + (last == 'A' ? 'B' : 'A') + address.substring(address.length() - 1);
    assertThat(browser.get(changed).status()).isEqualTo(400);
    assertThat(browser.get(PATH + "?ask=x").status()).isEqualTo(400);
    idp.time.advance(Duration.ofMinutes(11));
    assertThat(browser.get(address).status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("LOGOUT_NOT_OURS", "LOGOUT_NOT_OURS", "LOGOUT_NOT_OURS");
    assertThat(isSignedIn()).isTrue();
  }

  @Test
  void aStateThatNoAddressCouldHoldIsRefused() {
    EdgeReply reply =
        browser.postFromElsewhere(PATH, Map.of("id_token_hint", idToken, "post_logout_redirect_uri", RETURN, "state", "x".repeat(2_001)));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("STATE_TOO_LONG");
  }

  @Test
  void whoIsNotSignedInGoesStraightBack() {
    ask("id_token_hint", idToken);
    EdgeReply again = ask("id_token_hint", idToken, "post_logout_redirect_uri", RETURN);
    assertThat(again.headers().first("Location")).hasValue(RETURN);
    assertThat(ask().text()).contains("You are signed out");
  }

  @Test
  void theTokensOfTheSessionEndWithIt() {
    String token = app.exchange(idp, OAuthApp.code(app.ask(browser))).path("access_token").asString();
    ask("id_token_hint", idToken);
    TestBrowser program = idp.browser();
    program.headers = Map.of("Authorization", "Bearer " + token);
    assertThat(program.get("/realms/demo/oauth/userinfo").status()).isEqualTo(401);
  }

  /** Requests sealed by a version with another format, and values that are not sealed at all. */
  @Test
  void aSealedRequestOfAnotherFormatIsNoFault() {
    TestTime time = new TestTime(SamlFixtures.NOW);
    SecureRandom random = new SecureRandom();
    SealingKey key = SealingKey.inMemory(random);
    Idp fresh = new Idp(time, new MemoryStores(time), key, OAuthApp.realm(app));
    TestBrowser person = OAuthApp.signedIn(fresh, "alice");
    SealedState state = new SealedState(key, "idp rp-initiated logout", 1, time, random);
    SessionToken secret = SessionToken.create(random);
    List<String> asks = new ArrayList<>(List.of("", ".", "x", "x.y", secret.value(), secret.value() + ".", secret.value() + ".AAAA"));
    for (String body :
        List.of("", "\u0001", "\u0002{}", "{}", "\u0001{}", "\u0001[]", "\u0001null", "\u0001{\"realm\":[7]}", "\u0001{\"realm\":\"demo\"}")) {
      byte[] payload = body.getBytes(StandardCharsets.UTF_8);
      asks.add(secret.value() + "." + state.seal("demo", secret, "ask", payload, time.instant().plusSeconds(60)));
    }
    for (String ask : asks) {
      assertThat(person.get(PATH + "?" + query("ask", ask)).status()).as(ask).isEqualTo(400);
      assertThat(person.post(PATH, Map.of("ask", ask)).status()).as(ask).isEqualTo(400);
    }
    assertThat(person.get("/realms/demo/account").status()).isEqualTo(200);
  }
}
