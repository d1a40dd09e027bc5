package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.sp.inspection.Inspection;
import dev.gatehouse.sp.inspection.Inspection.Check;
import dev.gatehouse.sp.inspection.TestLogins;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A provider sends people who come to log in at it on to another provider of the realm, and so obtains codes of that one (mix-up, RFC 9700,
 * section 4.4). It cannot redeem them, because it does not have our secret or key. But its owner has begun a login of their own at the
 * other provider, and has given that one the nonce and the code challenge of this login: they bring the code back to us, and are somebody
 * else.
 */
class MixUpTest {

  private static final String CALLBACK = SpWorld.HOME + "/.gatehouse/oidc/callback";

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final TestProvider honest = new TestProvider(time);
  private final TestProvider evil = new TestProvider(time);
  private SpWorld world = world(honest.config(), evil.config());

  /**
   * What came of it.
   *
   * @param attacker the browser of the owner of the other provider
   * @param own the login that this browser began
   * @param code a code of alice, if the other provider obtained it
   */
  private record Attack(TestBrowser attacker, AuthenticationRequest own, String code) {}

  @AfterEach
  void close() {
    world.close();
    honest.close();
    evil.close();
  }

  private SpWorld world(ProviderConfig first, ProviderConfig second) {
    SpWorld made = new SpWorld(change -> change.providers(first, second).identityProviders(first.issuer(), second.issuer()));
    honest.awaitKnown(made);
    evil.awaitKnown(made);
    return made;
  }

  private void again(ProviderConfig first, ProviderConfig second) {
    world.close();
    world = world(first, second);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static URI begin(TestBrowser browser, TestProvider at) {
    return SpWorld.location(browser.open(SpWorld.HOME + "/.gatehouse/login?idp=" + encode(at.issuer())));
  }

  /** @param redirectUri to which the victim's browser is made to come back */
  private Attack attack(String redirectUri) {
    TestBrowser attacker = new TestBrowser(world, "192.0.2.66");
    URI begun = begin(attacker, honest);
    AuthenticationRequest own = honest.request(begun);
    TestBrowser victim = new TestBrowser(world);
    AuthenticationRequest chosen = evil.request(begin(victim, evil));
    String sentOn =
        begun.toString()
            .replace(own.getState().getValue(), chosen.getState().getValue())
            .replace(encode(own.getRedirectionURI().toString()), encode(redirectUri));
    AuthenticationRequest mixed = honest.request(URI.create(sentOn));
    String code = honest.login(mixed, "alice");
    victim.get(honest.callback(mixed, code), "cross-site");
    return new Attack(attacker, own, code);
  }

  private void isPrevented(String redirectUri) {
    attack(redirectUri);
    assertThat(world.refusals()).containsExactly("REDIRECT_URI");
    assertThat(evil.tokenCalls()).as("it does not obtain the code").isEmpty();
    assertThat(world.opened()).isZero();
  }

  /** This is what a node warns of: without it the other tests would prove nothing. */
  @Test
  void withOneRedirectUriAndWithoutIssTheAttackSucceeds() {
    Attack attack = attack(CALLBACK);
    assertThat(evil.tokenCalls().getFirst()).containsEntry("code", attack.code()).containsKey("code_verifier");

    attack.attacker().get(honest.callback(attack.own(), attack.code()), "cross-site");

    assertThat(world.session(attack.attacker(), SpWorld.HOME).orElseThrow().account().user()).isEqualTo("alice");
  }

  @Test
  void aRedirectUriOfItsOwnProtectsAProvider() {
    again(honest.config("honest"), evil.config());
    honest.redirectUris(CALLBACK + "/honest");
    isPrevented(CALLBACK + "/honest");
  }

  @Test
  void aRedirectUriOfItsOwnProtectsOthersFromAProvider() {
    again(honest.config(), evil.config("evil"));
    evil.redirectUris(CALLBACK + "/evil");
    isPrevented(CALLBACK);
  }

  /** RFC 6749, section 4.1.3: the redirect URI of the token request must be that of the code. */
  @Test
  void aCodeForTheFormerRedirectUriIsOfNoUseToAnybody() {
    again(honest.config("honest"), evil.config());
    honest.redirectUris(CALLBACK, CALLBACK + "/honest");
    Attack attack = attack(CALLBACK);
    assertThat(evil.tokenCalls()).as("the former one is still registered").hasSize(1);

    attack.attacker().get(honest.callback(attack.own(), attack.code()), "cross-site");

    assertThat(world.refusals()).containsExactly("CODE_REFUSED", "CODE_REFUSED");
    assertThat(world.opened()).isZero();
  }

  @Test
  void eachProviderHasItsRedirectUriInBothRequests() {
    again(honest.config("honest"), evil.config());
    honest.redirectUris(CALLBACK + "/honest");
    TestBrowser browser = new TestBrowser(world);
    AuthenticationRequest request = honest.request(begin(browser, honest));

    browser.get(honest.callback(request, honest.login(request, "alice")), "cross-site");

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
    assertThat(honest.tokenCalls().getFirst()).containsEntry("redirect_uri", CALLBACK + "/honest");
    TestBrowser other = new TestBrowser(world);
    AuthenticationRequest unchanged = evil.request(begin(other, evil));
    assertThat(unchanged.getRedirectionURI()).hasToString(CALLBACK);
    other.get(evil.callback(unchanged, evil.login(unchanged, "bob")), "cross-site");
    assertThat(world.session(other, SpWorld.HOME)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/nobody", "/HONEST", "/hones%74", "/honest/", "/honest/more"})
  void noOtherPathIsARedirectUri(String path) {
    again(honest.config("honest"), evil.config());
    assertThat(new TestBrowser(world).get(CALLBACK + path + "?code=x&state=y", "cross-site").status()).isEqualTo(404);
    assertThat(new TestBrowser(world).get(CALLBACK + "/honest?code=x&state=y", "cross-site").status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("STATE");
  }

  @Test
  void aTestLoginTakesNoCodeOfAnotherProviderEither() {
    again(honest.config("honest"), evil.config());
    TestBrowser administrator = new TestBrowser(world);
    TestLogins.View started = world.tests.begin(world.realm(), evil.issuer()).orElseThrow();
    AuthenticationRequest test = evil.request(SpWorld.location(administrator.open(started.url())));

    administrator.get(CALLBACK + "/honest?code=stolen&state=" + test.getState().getValue(), "cross-site");

    Inspection inspection = world.tests.find(world.realm(), started.id()).orElseThrow().inspection().orElseThrow();
    assertThat(inspection.checks().stream().filter(check -> check.reason().isPresent()).map(Check::name)).containsExactly("redirect-uri");
    assertThat(evil.tokenCalls()).isEmpty();
  }
}
