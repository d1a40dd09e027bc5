package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.sp.inspection.Inspection;
import dev.gatehouse.sp.inspection.Inspection.Check;
import dev.gatehouse.sp.inspection.Inspection.Step;
import dev.gatehouse.sp.inspection.Inspection.Value;
import dev.gatehouse.sp.inspection.Replay;
import dev.gatehouse.sp.inspection.TestLogins;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Test logins at an OpenID provider: every check is shown, nothing is opened, and a recording can be checked again. */
final class OpenIdTestLoginTest {

  private static final String PASSPHRASE = "correct horse battery";

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final TestProvider provider = new TestProvider(time);
  private SpWorld world = world(provider.config());
  private TestBrowser browser = new TestBrowser(world);
  private TestLogins.View started = world.tests.begin(world.realm(), provider.issuer()).orElseThrow();

  @AfterEach
  void close() {
    world.close();
    provider.close();
  }

  /** A realm with two providers, of which none is its own. */
  private SpWorld world(ProviderConfig config) {
    ProviderConfig other =
        new ProviderConfig(
            provider.issuer() + "/other", Optional.empty(), Optional.empty(), config.scopes(), config.claims(), false);
    SpWorld made = new SpWorld(change -> change.providers(config, other).identityProviders(provider.issuer()));
    provider.awaitKnown(made);
    return made;
  }

  private void again(ProviderConfig config) {
    world.close();
    world = world(config);
    browser = new TestBrowser(world);
    started = world.tests.begin(world.realm(), provider.issuer()).orElseThrow();
  }

  private AuthenticationRequest begin() {
    return provider.request(SpWorld.location(browser.open(started.url())));
  }

  private EdgeReply logIn() {
    AuthenticationRequest request = begin();
    return browser.get(provider.callback(request, provider.login(request, "alice")), "cross-site");
  }

  private Inspection inspection() {
    return world.tests.find(world.realm(), started.id()).orElseThrow().inspection().orElseThrow();
  }

  private List<String> failed() {
    return inspection().checks().stream().filter(check -> check.reason().isPresent()).map(Check::name).toList();
  }

  private Map<String, String> step(String name) {
    return inspection().steps().stream().filter(step -> step.name().equals(name)).findFirst().map(Step::facts).orElseThrow();
  }

  @Test
  void anHonestAnswerPassesEveryCheckAndOpensNoSession() {
    EdgeReply reply = logIn();

    assertThat(reply.status()).isEqualTo(200);
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.opened()).isZero();
    assertThat(world.refusals()).isEmpty();
    assertThat(failed()).isEmpty();
    assertThat(inspection().isPassed()).isTrue();
    assertThat(inspection().checks()).extracting(Check::name)
        .startsWith("discovery", "redirect-uri", "response-issuer", "authorization-response", "token-response", "jwt", "signature")
        .contains("issuer", "audience", "authorized-party", "expiry", "issued-at", "nonce", "access-token-hash", "user-name");
    assertThat(inspection().values())
        .contains(new Value("preferred_username", "alice", Optional.empty()), new Value("groups", "staff", Optional.empty()));
    assertThat(inspection().account().orElseThrow().name()).contains("alice");
  }

  @Test
  void stepsAreShownWithoutSecrets() {
    AuthenticationRequest request = begin();
    String code = provider.login(request, "alice");
    browser.get(provider.callback(request, code), "cross-site");

    assertThat(inspection().steps()).extracting(Step::name)
        .containsExactly(
            "discovery", "authorization-request", "authorization-response", "token-response", "id-token-header", "id-token-claims");
    assertThat(step("discovery")).containsEntry("token_endpoint", provider.issuer() + "/token");
    assertThat(step("authorization-request")).containsEntry("client_id", TestProvider.CLIENT).containsEntry("scope", "openid profile");
    assertThat(step("authorization-response")).containsEntry("code", "***");
    assertThat(step("token-response"))
        .containsEntry("access_token", "***").containsEntry("id_token", "***").containsEntry("token_type", "Bearer");
    assertThat(step("id-token-header")).containsEntry("alg", "RS256");
    assertThat(step("id-token-claims")).containsEntry("sub", "sub-of-alice");
    String verifier = provider.tokenCalls().getFirst().getOrDefault("code_verifier", "");
    assertThat(verifier).isNotEmpty();
    assertThat(world.tests.find(world.realm(), started.id()).orElseThrow().toString())
        .doesNotContain(code, verifier, TestProvider.SECRET);
  }

  @Test
  void allFailedChecksAreShownAndNotOnlyTheFirst() {
    provider.idToken(
        claims -> new JWTClaimsSet.Builder(claims).audience("somebody").claim("nonce", "other").claim("at_hash", "other").build());
    logIn();

    assertThat(failed()).containsExactly("audience", "authorized-party", "nonce", "access-token-hash");
    assertThat(inspection().account()).isEmpty();
    assertThat(world.opened()).isZero();
  }

  @Test
  void aForgedSignatureAndAnUnreadableTokenAreShown() {
    provider.idTokenText(text -> text.substring(0, text.length() - 8) + "AAAAAAAA");
    logIn();
    assertThat(failed()).containsExactly("signature");

    again(provider.config());
    provider.idTokenText(text -> "no token");
    logIn();
    assertThat(failed()).containsExactly("jwt");
  }

  @Test
  void anErrorOfTheProviderIsShown() {
    AuthenticationRequest request = begin();
    browser.get(
        SpWorld.HOME + "/.gatehouse/oidc/callback?error=access_denied&state=" + request.getState().getValue(), "cross-site");

    assertThat(failed()).containsExactly("authorization-response");
    assertThat(inspection().checks().getLast().detail()).contains("access_denied");
    assertThat(world.tests.find(world.realm(), started.id()).orElseThrow().isRecorded()).isFalse();
  }

  @Test
  void aCodeOfSomebodyElsesLoginIsRefusedByTheProvider() {
    AuthenticationRequest request = begin();
    browser.get(provider.callback(request, "stolen"), "cross-site");

    assertThat(failed()).containsExactly("token-response");
    assertThat(inspection().checks().getLast().reason()).contains("CODE_REFUSED");
  }

  @Test
  void droppedClaimsSayWhy() {
    ProviderConfig all = provider.config();
    again(new ProviderConfig(all.issuer(), all.displayName(), all.client(), all.scopes(), all.claims(), false));
    logIn();

    assertThat(inspection().values())
        .contains(
            new Value("groups", "staff", Optional.of("gives_rights")),
            new Value("email", "alice@example.org", Optional.of("not_verified")),
            new Value("preferred_username", "alice", Optional.empty()));
    assertThat(inspection().account().orElseThrow().name()).contains(provider.issuer() + "!sub-of-alice");
  }

  @Test
  void userInfoIsCheckedAndAddsClaims() {
    ProviderConfig all = provider.config();
    again(
        new ProviderConfig(
            all.issuer(), all.displayName(), all.client(), all.scopes(), all.claims(), true, TestProvider.EVERYTHING));
    provider.userInfo(Map.of("nickname", "Al"));
    logIn();
    assertThat(inspection().values()).contains(new Value("nickname", "Al", Optional.empty()));
    assertThat(step("user-info")).containsEntry("nickname", "Al");
    String file = world.tests.file(world.realm(), started.id(), PASSPHRASE).orElseThrow();
    assertThat(world.tests.replay(world.realm(), file, PASSPHRASE).orElseThrow().differences()).isEmpty();

    started = world.tests.begin(world.realm(), provider.issuer()).orElseThrow();
    provider.userInfo(Map.of("sub", "sub-of-bob"));
    logIn();
    assertThat(failed()).containsExactly("user-info");
  }

  @Test
  void anAnswerCountsOnceAndNeverForARealLogin() {
    AuthenticationRequest request = begin();
    String callback = provider.callback(request, provider.login(request, "alice"));
    browser.get(callback, "cross-site");

    assertThat(browser.get(callback, "cross-site").status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("STATE");
    assertThat(browser.open(started.url()).status()).as("the link was used").isEqualTo(403);
    assertThat(provider.tokenCalls()).hasSize(1);
    assertThat(world.opened()).isZero();
  }

  @Test
  void aCodeOfARealLoginIsNotTakenByATest() {
    AuthenticationRequest test = begin();
    AuthenticationRequest real = provider.request(SpWorld.location(browser.open(SpWorld.HOME + "/here")));
    String code = provider.login(real, "alice");

    browser.get(provider.callback(test, code), "cross-site");

    assertThat(failed()).as("its verifier is another one").containsExactly("token-response");
    assertThat(world.opened()).isZero();
  }

  @Test
  void aRecordingIsReplayedAndSaysWhatDiffersNow() {
    logIn();
    String file = world.tests.file(world.realm(), started.id(), PASSPHRASE).orElseThrow();
    time.advance(Duration.ofMinutes(50));
    Replay same = world.tests.replay(world.realm(), file, PASSPHRASE).orElseThrow();
    assertThat(same.differences()).isEmpty();
    assertThat(same.now().isPassed()).isTrue();
    assertThat(provider.tokenCalls()).as("nothing is redeemed again").hasSize(1);

    again(new ProviderConfig(provider.issuer(), Optional.empty(), provider.config().client(), List.of("openid"),
        provider.config().claims(), false));
    assertThat(world.tests.replay(world.realm(), file, PASSPHRASE).orElseThrow().differences())
        .contains("value groups=staff: counts, now dropped (gives_rights)");
    provider.rollKey();
    again(provider.config());
    assertThat(world.tests.replay(world.realm(), file, PASSPHRASE).orElseThrow().differences())
        .contains("check signature: passed, now failed (SIGNATURE)");
    assertThat(world.opened()).isZero();
  }
}
