package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.sp.session.AppSession;
import java.net.URI;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** People log in at an OpenID provider; SECURITY-CASES 28 and 33, mix-up, replay and session fixation, from the client's side. */
class OpenIdLoginTest {

  private static final String STRONG = "urn:example:strong";

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final TestProvider provider = new TestProvider(time);
  private final TestProvider other = new TestProvider(time);
  private SpWorld world = world(provider.config());
  private TestBrowser browser = new TestBrowser(world);

  @AfterEach
  void close() {
    world.close();
    provider.close();
    other.close();
  }

  /** The realm has both providers; people log in at the first one. */
  private SpWorld world(ProviderConfig config) {
    RouteConfig vault =
        new RouteConfig(
            "vault", new GatewayConfig.Match(Set.of("app.example"), "/vault"), URI.create("http://127.0.0.1:9000"),
            new Access.Protected(), Map.of(),
            GatewayConfig.SignOn.form(false, Optional.empty(), List.of(STRONG), Optional.empty()));
    SpWorld made =
        new SpWorld(
            change ->
                change.providers(config, other.config()).identityProviders(provider.issuer()).routes(vault));
    provider.awaitKnown(made);
    other.awaitKnown(made);
    return made;
  }

  private void again(ProviderConfig config) {
    world.close();
    world = world(config);
    browser = new TestBrowser(world);
  }

  private AuthenticationRequest begin(String path) {
    return provider.request(SpWorld.location(browser.open(SpWorld.HOME + path)));
  }

  private EdgeReply answer(AuthenticationRequest request, String user) {
    return browser.get(provider.callback(request, provider.login(request, user)), "cross-site");
  }

  private void refusedWith(String reason) {
    AuthenticationRequest request = begin("/here");
    EdgeReply reply = answer(request, "alice");

    assertThat(reply.status()).isIn(403, 503);
    assertThat(world.refusals()).containsExactly(reason);
    assertThat(world.opened()).isZero();
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
  }

  @Test
  void aPersonLogsInAndLandsWhereTheyWanted() {
    AuthenticationRequest request = begin("/files/list?sort=name");

    assertThat(request.getScope().toStringList()).containsExactly("openid", "profile");
    assertThat(request.getResponseMode()).isNull();

    EdgeReply landed = answer(request, "alice");

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/files/list?sort=name");
    AppSession session = world.session(browser, SpWorld.HOME).orElseThrow();
    assertThat(session.account().user()).isEqualTo("alice");
    assertThat(session.account().roles()).containsExactly("employee");
    assertThat(session.account().groups()).containsExactly("staff", "chess");
    assertThat(session.person().value()).isEqualTo(provider.issuer() + "!sub-of-alice");
    assertThat(session.login().identityProvider()).isEqualTo(provider.issuer());
    assertThat(session.login().sessionIndex()).contains("sid-of-alice");
    assertThat(session.account().attributes()).containsEntry("email", List.of("alice@example.org")).doesNotContainKey("nonce");
    assertThat(provider.tokenCalls().getFirst()).containsKey("code_verifier").doesNotContainKey("client_secret");
  }

  /**
   * OpenID Connect Core 5.7: only iss and sub are permanent for a person; from a provider that is not the realm's own,
   * nothing else counts.
   */
  @Test
  void withoutAcceptAProviderNamesNobodyElseAndGivesNoRights() {
    ProviderConfig trusted = provider.config();
    again(
        new ProviderConfig(
            trusted.issuer(), trusted.displayName(), trusted.client(), trusted.scopes(), trusted.claims(), false));

    provider.idToken(
        claims ->
            new JWTClaimsSet.Builder(claims).claim("email", "ceo@corp.example").claim("email_verified", false).build());
    answer(begin("/"), "alice");

    assertThat(world.session(browser, SpWorld.HOME))
        .hasValueSatisfying(
            session -> {
              assertThat(session.account().user()).isEqualTo(provider.issuer() + "!sub-of-alice");
              assertThat(session.account().roles()).isEmpty();
              assertThat(session.account().groups()).isEmpty();
              assertThat(session.account().attributes()).doesNotContainKeys("email", "mail", "groups", "realm_access.roles");
            });
  }

  @Test
  void eachWayToProveWhoWeAreWorks() {
    for (ProviderConfig.Proof proof :
        List.of(
            new ProviderConfig.Proof.SecretPost(new Secret(TestProvider.SECRET)),
            new ProviderConfig.Proof.PrivateKeyJwt())) {
      again(provider.config(proof, false));
      answer(begin("/here"), "alice");
      assertThat(world.session(browser, SpWorld.HOME)).as(proof.toString()).isPresent();
    }
  }

  @Test
  void aWrongSecretOfOursOpensNothing() {
    again(provider.config(new ProviderConfig.Proof.SecretBasic(new Secret("wrong")), false));
    refusedWith("CODE_REFUSED");
  }

  @Test
  void whereTheProviderWantsItTheRequestIsPushed() {
    provider.metadata(metadata -> metadata.requiresPushedAuthorizationRequests(true));
    again(provider.config());

    URI location = SpWorld.location(browser.open(SpWorld.HOME + "/here"));

    assertThat(location.getRawQuery()).contains("request_uri=").doesNotContain("state=").doesNotContain("nonce=");
    answer(provider.request(location), "alice");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void userInfoAddsClaimsAndTheSignedOnesCount() {
    again(provider.config(new ProviderConfig.Proof.PrivateKeyJwt(), true));
    provider.userInfo(Map.of("department", "sales", "preferred_username", "somebody else"));

    answer(begin("/here"), "alice");

    AppSession session = world.session(browser, SpWorld.HOME).orElseThrow();
    assertThat(session.account().user()).isEqualTo("alice");
    assertThat(session.account().attributes()).containsEntry("department", List.of("sales"));
  }

  @Test
  void userInfoOfSomebodyElseIsNone() {
    again(provider.config(new ProviderConfig.Proof.PrivateKeyJwt(), true));
    provider.userInfo(Map.of("sub", "sub-of-bob"));
    refusedWith("USER_INFO");
  }

  // --- the ID token ---

  static Stream<Arguments> wrongIdTokens() {
    return Stream.of(
        wrong("NONCE", b -> b.claim("nonce", "another")),
        wrong("NONCE", b -> b.claim("nonce", null)),
        wrong("AUDIENCE", b -> b.audience("somebody else")),
        wrong("AUTHORIZED_PARTY", b -> b.audience(List.of(TestProvider.CLIENT, "somebody else"))),
        wrong("AUTHORIZED_PARTY", b -> b.claim("azp", "somebody else")),
        wrong("ISSUER", b -> b.issuer("https://evil.example")),
        wrong("EXPIRED", b -> b.expirationTime(Date.from(SamlFixtures.NOW.minusSeconds(61)))),
        wrong("EXPIRED", b -> b.expirationTime(null)),
        wrong("ISSUED_AT", b -> b.issueTime(Date.from(SamlFixtures.NOW.plusSeconds(62)))),
        wrong("ISSUED_AT", b -> b.issueTime(Date.from(SamlFixtures.NOW.minus(Duration.ofMinutes(12))))),
        wrong("ISSUED_AT", b -> b.issueTime(null)),
        wrong("SUBJECT", b -> b.subject(null)),
        wrong("SUBJECT", b -> b.subject("")),
        wrong("ACCESS_TOKEN_HASH", b -> b.claim("at_hash", "AAAAAAAAAAAAAAAAAAAAAA")),
        wrong("USER_NAME", b -> b.claim("preferred_username", List.of("alice", "root"))),
        wrong("USER_NAME", b -> b.claim("preferred_username", "al\nice")),
        wrong("USER_NAME", b -> b.claim("preferred_username", " ")));
  }

  private static Arguments wrong(String reason, UnaryOperator<JWTClaimsSet.Builder> change) {
    return Arguments.of(reason, change);
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource("wrongIdTokens")
  void anIdTokenThatBreaksARuleIsRefused(String reason, UnaryOperator<JWTClaimsSet.Builder> change) {
    provider.idToken(claims -> change.apply(new JWTClaimsSet.Builder(claims)).build());
    refusedWith(reason);
  }

  @Test
  void anIdTokenForSeveralThatWasIssuedToUsIsOurs() {
    provider.idToken(
        claims ->
            new JWTClaimsSet.Builder(claims)
                .audience(List.of(TestProvider.CLIENT, "an API"))
                .claim("azp", TestProvider.CLIENT)
                .build());
    answer(begin("/here"), "alice");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void anUnsignedIdTokenIsNone() {
    provider.idTokenText(text -> new PlainJWT(claims(text)).serialize());
    refusedWith("JWT_UNREADABLE");
  }

  @Test
  void theProvidersPublicKeyIsNoSecretForHmac() {
    provider.idTokenText(
        text -> {
          try {
            SignedJWT jwt =
                new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(provider.key().getKeyID()).build(), claims(text));
            jwt.sign(new MACSigner(provider.key().toRSAPublicKey().getEncoded()));
            return jwt.serialize();
          } catch (com.nimbusds.jose.JOSEException e) {
            throw new IllegalStateException(e);
          }
        });
    refusedWith("SIGNATURE");
  }

  @Test
  void aKeyOfAnotherProviderSignsNothing() {
    provider.idTokenText(text -> TestProvider.sign(claims(text), Optional.empty(), other.key()));
    refusedWith("SIGNATURE");
  }

  @Test
  void aKeyThatTheTokenBringsSignsNothing() {
    com.nimbusds.jose.jwk.RSAKey own = TestProvider.newKey();
    provider.idTokenText(
        text -> {
          try {
            SignedJWT jwt =
                new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(own.toPublicJWK()).build(), claims(text));
            jwt.sign(new com.nimbusds.jose.crypto.RSASSASigner(own));
            return jwt.serialize();
          } catch (com.nimbusds.jose.JOSEException e) {
            throw new IllegalStateException(e);
          }
        });
    refusedWith("JWT_UNREADABLE");
  }

  @Test
  void aChangedSignatureIsNone() {
    provider.idTokenText(
        text -> {
          String[] parts = text.split("\\.");
          byte[] signature = new Base64URL(parts[2]).decode();
          signature[7] ^= 1;
          return parts[0] + "." + parts[1] + "." + Base64URL.encode(signature);
        });
    refusedWith("SIGNATURE");
  }

  @Test
  void anAccessTokenIsNoIdToken() {
    provider.idTokenText(text -> TestProvider.sign(claims(text), Optional.of("at+jwt"), provider.key()));
    refusedWith("TOKEN_TYPE");
  }

  @Test
  void aNewKeyOfTheProvidersIsLookedFor() {
    provider.rollKey();
    world.time.advance(Duration.ofSeconds(10));
    time.advance(Duration.ofSeconds(10));

    answer(begin("/here"), "alice");

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  private static JWTClaimsSet claims(String text) {
    try {
      return SignedJWT.parse(text).getJWTClaimsSet();
    } catch (java.text.ParseException e) {
      throw new IllegalStateException(e);
    }
  }

  // --- the response ---

  @Test
  void aCodeIsRedeemedOnce() {
    AuthenticationRequest request = begin("/here");
    String callback = provider.callback(request, provider.login(request, "alice"));
    browser.get(callback, "cross-site");

    EdgeReply second = browser.get(callback, "cross-site");

    assertThat(second.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("REPLAYED");
    assertThat(provider.tokenCalls()).hasSize(1);
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void somebodyElsesBrowserDoesNotGoOn() {
    AuthenticationRequest request = begin("/here");
    String callback = provider.callback(request, provider.login(request, "mallory"));
    TestBrowser victim = new TestBrowser(world);
    victim.open(SpWorld.HOME + "/here");

    EdgeReply reply = victim.get(callback, "cross-site");

    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("OTHER_BROWSER");
    assertThat(provider.tokenCalls()).as("the code stays unused").isEmpty();
    browser.get(callback, "cross-site");
    assertThat(world.session(browser, SpWorld.HOME)).as("who began may go on").isPresent();
  }

  @Test
  void aStateThatNobodySentIsNone() {
    browser.open(SpWorld.HOME + "/here");
    browser.get(SpWorld.HOME + "/.gatehouse/oidc/callback?code=x&state=y", "cross-site");
    browser.get(SpWorld.HOME + "/.gatehouse/oidc/callback?code=x", "cross-site");
    assertThat(world.refusals()).containsExactly("STATE", "NO_MESSAGE");
  }

  @Test
  void aParameterThatStandsTwiceIsAMistake() {
    AuthenticationRequest request = begin("/here");
    EdgeReply reply = browser.get(provider.callback(request, "x") + "&code=y", "cross-site");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(provider.tokenCalls()).isEmpty();
  }

  @Test
  void aResponseThatNamesAnotherIssuerIsAMixUp() {
    AuthenticationRequest request = begin("/here");
    String code = provider.login(request, "alice");

    browser.get(provider.callback(request, code) + "&iss=https://evil.example", "cross-site");

    assertThat(world.refusals()).containsExactly("RESPONSE_ISSUER");
    assertThat(provider.tokenCalls()).isEmpty();
    browser.get(provider.callback(request, code) + "&iss=" + provider.issuer(), "cross-site");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void aProviderThatNamesItselfMustDoSo() {
    provider.metadata(metadata -> metadata.setSupportsAuthorizationResponseIssuerParam(true));
    again(provider.config());
    refusedWith("RESPONSE_ISSUER");
  }

  @Test
  void anIdTokenOfTheOtherProviderIsAMixUp() {
    provider.idTokenText(
        text ->
            TestProvider.sign(
                new JWTClaimsSet.Builder(claims(text)).issuer(other.issuer()).build(), Optional.empty(), other.key()));
    refusedWith("SIGNATURE");
  }

  @Test
  void aSamlResponseAnswersNoOpenIdRequest() {
    AuthenticationRequest request = begin("/here");

    browser.submitFromElsewhere(
        world.posted(world.response(Optional.of(request.getState().getValue()), "alice"), Optional.empty()));

    assertThat(world.opened()).isZero();
    assertThat(world.refusals()).hasSize(1).doesNotContain("REPLAYED");
  }

  @Test
  void whatTheProviderSaysIsToldInOurWordsAndMayBeTriedAgain() {
    AuthenticationRequest request = begin("/here");

    EdgeReply reply =
        browser.get(
            SpWorld.HOME + "/.gatehouse/oidc/callback?error=access_denied&error_description=%3Cscript%3E&state="
                + request.getState().getValue(),
            "cross-site");

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.text()).contains("Test provider", "declined").doesNotContain("script>");
    assertThat(world.refusals()).containsExactly("PROVIDER_ERROR");
    EdgeReply again = browser.get(SpWorld.HOME + "/.gatehouse/login?again=" + request.getState().getValue(), "same-origin");
    answer(provider.request(SpWorld.location(again)), "alice");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void aProviderThatDoesNotAnswerLeavesAWayOn() {
    AuthenticationRequest request = begin("/here");
    String callback = provider.callback(request, provider.login(request, "alice"));
    provider.down(true);

    EdgeReply reply = browser.get(callback, "cross-site");

    assertThat(reply.text()).contains("/.gatehouse/login?return=");
    assertThat(world.refusals()).containsExactly("PROVIDER_UNAVAILABLE");
  }

  // --- stronger logins ---

  @Test
  void aRouteThatNeedsMoreAsksForItAndGetsIt() {
    AuthenticationRequest request = begin("/vault");
    assertThat(request.getACRValues()).singleElement().hasToString(STRONG);
    provider.idToken(claims -> new JWTClaimsSet.Builder(claims).claim("acr", STRONG).build());

    answer(request, "alice");

    assertThat(world.session(browser, SpWorld.HOME).orElseThrow().login().authnContextClassRef()).contains(STRONG);
  }

  @Test
  void aWeakerLoginThanWasAskedForOpensNothing() {
    provider.idToken(claims -> new JWTClaimsSet.Builder(claims).claim("acr", "0").build());

    EdgeReply reply = answer(begin("/vault"), "alice");

    assertThat(reply.text()).contains("stronger");
    assertThat(world.refusals()).containsExactly("ACR");
    assertThat(world.opened()).isZero();
  }

  @Test
  void aFreshLoginIsAskedForAndProved() {
    AuthenticationRequest request =
        provider.request(SpWorld.location(browser.open(SpWorld.HOME + "/.gatehouse/login?return=/here&force=true")));
    assertThat(request.getPrompt()).hasToString("login");
    assertThat(request.getMaxAge()).isZero();
    provider.idToken(
        claims ->
            new JWTClaimsSet.Builder(claims)
                .claim("auth_time", SamlFixtures.NOW.minus(Duration.ofHours(1)).getEpochSecond())
                .build());

    answer(request, "alice");

    assertThat(world.refusals()).containsExactly("AUTH_TIME");
    assertThat(world.opened()).isZero();
  }

  @Test
  void aNewLoginReplacesTheSessionAndItsCookie() {
    answer(begin("/here"), "alice");
    Optional<String> before = browser.cookie(SpWorld.HOME, "__Host-gh_app");
    provider.idToken(claims -> new JWTClaimsSet.Builder(claims).claim("acr", STRONG).build());

    answer(begin("/vault"), "alice");

    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isPresent().isNotEqualTo(before);
    browser.setCookie(SpWorld.HOME, "__Host-gh_app", before.orElseThrow());
    assertThat(world.session(browser, SpWorld.HOME)).as("the old one has ended").isEmpty();
  }

  // --- the provider ---

  @Test
  void aDocumentOfAnotherIssuerIsNone() {
    TestProvider liar = new TestProvider(time);
    liar.issuerInDocument(provider.issuer());
    try (SpWorld there =
        new SpWorld(change -> change.providers(liar.config()).identityProviders(liar.issuer()))) {
      EdgeReply reply = new TestBrowser(there).open(SpWorld.HOME + "/here");
      assertThat(reply.status()).isEqualTo(503);
    } finally {
      liar.close();
    }
  }

  @Test
  void peopleChooseAmongProvidersOfBothProtocols() {
    world.close();
    world =
        new SpWorld(
            change -> change.providers(provider.config()).identityProviders(SamlFixtures.IDP, provider.issuer()));
    provider.awaitKnown(world);
    browser = new TestBrowser(world);

    EdgeReply page = browser.follow(browser.open(SpWorld.HOME + "/here"));

    assertThat(page.text()).contains("Test provider", SamlFixtures.IDP);
    EdgeReply chosen =
        browser.post(
            SpWorld.HOME + "/.gatehouse/discovery", Map.of("return", "/here", "idp", provider.issuer()));
    String redirect = chosen.headers().first("Refresh").orElseThrow().replaceFirst("0;url=", "");
    answer(provider.request(URI.create(redirect)), "alice");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void theOtherOriginGetsItsTicket() {
    EdgeReply home = browser.follow(browser.open(SpWorld.OTHER + "/there"));
    AuthenticationRequest request = provider.request(SpWorld.location(home));

    EdgeReply landed = browser.follow(answer(request, "alice"));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.OTHER + "/there");
    assertThat(world.session(browser, SpWorld.OTHER).orElseThrow().account().user()).isEqualTo("alice");
  }
}
