package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.realm.PartnerConfig.Link;
import dev.gatehouse.common.realm.PartnerConfig.RequestBinding;
import dev.gatehouse.common.realm.PartnerConfig.ResponseBinding;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.UiInfo;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A realm with two identity providers, and a route that accepts only the second one. */
final class SeveralProvidersTest {

  private static final String SECOND = "https://second.example/idp";
  private static final String SECOND_SSO = "https://second.example/sso";

  private final SpWorld world =
      new SpWorld(
          change ->
              change
                  .identityProviders(SamlFixtures.IDP, SECOND)
                  .partners(
                      TestRealms.partner(SamlFixtures.IDP, SamlFixtures.IDP, Map.of()),
                      TestRealms.partner(SECOND, SECOND, Map.of()))
                  .routes(route("second", Optional.of(SECOND)), route("app", Optional.empty())));
  private final TestBrowser browser = new TestBrowser(world);

  @BeforeEach
  void bothAreKnown() {
    world.identityProvider(SamlFixtures.idpMetadata(), second("Zweite Universität", "Second university"));
  }

  private static RouteConfig route(String name, Optional<String> identityProvider) {
    return new RouteConfig(
        name, new GatewayConfig.Match(Set.of("app.example"), "/" + name), URI.create("http://127.0.0.1:9000"),
        new Access.Protected(), Map.of(), GatewayConfig.SignOn.form(false, identityProvider, List.of(), Optional.empty()));
  }

  private static PartnerMetadata second(String german, String english) {
    UiInfo ui =
        new UiInfo(
            Map.of("de", german, "en", english), Map.of("en", "For <students>"), List.of(), Map.of(), Map.of());
    return new PartnerMetadata(
        SECOND,
        Optional.empty(),
        Optional.empty(),
        Optional.of(english),
        Optional.of(
            new IdpRole(
                List.of(SamlFixtures.strangerKey().certificate()), List.of(), false,
                List.of(new Endpoint(Binding.REDIRECT, SECOND_SSO, Optional.empty())),
                new PartnerMetadata.SsoDescriptor(List.of(), List.of(), List.of(), List.of()), List.of(), ui)),
        Optional.empty());
  }

  /** Opens the page and chooses. */
  private EdgeReply choose(EdgeReply discovery, String entityId, Map<String, String> more) {
    assertThat(discovery.status()).isEqualTo(200);
    Map<String, String> fields = new LinkedHashMap<>(hidden(discovery));
    fields.put("idp", entityId);
    fields.putAll(more);
    return browser.post(SpWorld.HOME + "/.gatehouse/discovery", fields);
  }

  private static Map<String, String> hidden(EdgeReply page) {
    Map<String, String> fields = new LinkedHashMap<>();
    String form = page.text().substring(page.text().indexOf("<form method=\"post\""));
    Matcher matcher = Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\">").matcher(form);
    while (matcher.find()) {
      fields.put(matcher.group(1), matcher.group(2));
    }
    return fields;
  }

  /** The target of the page that replaces a redirect. */
  private static EdgeReply redirect(EdgeReply page) {
    assertThat(page.status()).isEqualTo(200);
    return EdgeReply.seeOther(page.headers().first("Refresh").orElseThrow().substring("0;url=".length()));
  }

  private EdgeReply discovery(String path) {
    return browser.follow(browser.open(SpWorld.HOME + path));
  }

  @Test
  void thePersonChoosesAndComesToWhereTheyWanted() {
    EdgeReply page = discovery("/app/x?y=1");
    assertThat(page.text())
        .contains("Example IdP", "Second university", "For &lt;students&gt;")
        .doesNotContain("For <students>");

    EdgeReply chosen = redirect(choose(page, SECOND, Map.of()));

    assertThat(SpWorld.location(chosen).toString()).startsWith(SECOND_SSO + "?");
    AuthnRequest request = world.authnRequest(chosen);
    assertThat(request.destination()).contains(SECOND_SSO);
    browser.submitWithCookies(answer(request));
    assertThat(world.session(browser, SpWorld.HOME))
        .hasValueSatisfying(session -> assertThat(session.login().identityProvider()).isEqualTo(SECOND));
  }

  private EdgeRequest answer(AuthnRequest request) {
    Response honest = world.response(request);
    Response theirs =
        Change.issuer(
            Change.with(honest, Change.of(honest.assertions().getFirst()).issuer(SECOND).assertion()), SECOND);
    return world.posted(theirs, Optional.empty(), SamlWriter.Signed.BOTH, SamlFixtures.strangerKey());
  }

  /**
   * With {@code link: none} and no {@code accept}: bob of the second provider is not the first provider's bob, and not
   * a manager.
   */
  @Test
  void neitherNamesNorRightsOfAnotherProviderCountUnlessTheyAreAccepted() {
    AuthnRequest request = world.authnRequest(redirect(choose(discovery("/app"), SECOND, Map.of())));
    browser.submitWithCookies(answer(request));

    assertThat(world.session(browser, SpWorld.HOME))
        .hasValueSatisfying(
            session -> {
              assertThat(session.account().user()).isEqualTo(SECOND + "!alice");
              assertThat(session.account().roles()).isEmpty();
              assertThat(session.account().groups()).isEmpty();
              assertThat(session.login().authnContextClassRef()).isEmpty();
            });
  }

  @Test
  void whatIsAcceptedOfAnotherProviderCounts() {
    SpWorld trusting = accepting(Map.of("uid", List.of("*"), "roles", List.of("employee")));
    TestBrowser visitor = new TestBrowser(trusting);
    AuthnRequest request = trusting.authnRequest(visitor.follow(visitor.open(SpWorld.HOME + "/second")));
    visitor.submitWithCookies(answer(request));

    assertThat(trusting.session(visitor, SpWorld.HOME))
        .hasValueSatisfying(
            session -> {
              assertThat(session.account().user()).isEqualTo("alice");
              assertThat(session.account().roles()).containsExactly("employee");
              assertThat(session.account().groups()).isEmpty();
            });
  }

  /** A world that accepts these values of the second provider, to which one route leads. */
  private static SpWorld accepting(Map<String, List<String>> accept) {
    PartnerConfig plain = TestRealms.partner(SECOND, SECOND, Map.of());
    AsIdentityProvider accepting =
        new AsIdentityProvider(
            RequestBinding.REDIRECT, ResponseBinding.POST, Optional.empty(), new Link.None(), List.of(), accept);
    PartnerConfig second =
        new PartnerConfig(
            plain.entityId(), plain.displayName(), plain.metadata(), plain.release(), plain.nameId(), plain.logout(),
            plain.asServiceProvider(), accepting, false);
    SpWorld trusting =
        new SpWorld(
            change ->
                change
                    .identityProviders(SamlFixtures.IDP, SECOND)
                    .partners(TestRealms.partner(SamlFixtures.IDP, SamlFixtures.IDP, Map.of()), second)
                    .routes(route("second", Optional.of(SECOND))));
    trusting.identityProvider(SamlFixtures.idpMetadata(), second("Zweite", "Second"));
    return trusting;
  }

  /** {@code accept} lists values, and not only the NameID as such. */
  @Test
  void aNameIdIsAPlainNameOnlyIfItIsListed() {
    SpWorld trusting = accepting(Map.of("nameId", List.of("*@second.example")));

    assertThat(userOf(trusting, "bob@second.example")).isEqualTo("bob@second.example");
    assertThat(userOf(trusting, "root")).isEqualTo(SECOND + "!root");
  }

  /** The user name after a login whose assertion has a NameID and no attributes. */
  private String userOf(SpWorld trusting, String nameId) {
    TestBrowser visitor = new TestBrowser(trusting);
    AuthnRequest request = trusting.authnRequest(visitor.follow(visitor.open(SpWorld.HOME + "/second")));
    Response honest = world.response(request);
    Assertion theirs =
        Change.of(honest.assertions().getFirst())
            .issuer(SECOND)
            .subject(NameId.of(nameId, NameId.UNSPECIFIED))
            .attributes(List.of())
            .assertion();
    Response response = Change.issuer(Change.with(honest, theirs), SECOND);
    visitor.submitWithCookies(world.posted(response, Optional.empty(), SamlWriter.Signed.BOTH, SamlFixtures.strangerKey()));
    return trusting.session(visitor, SpWorld.HOME).orElseThrow().account().user();
  }

  @Test
  void namesAreInThePersonsLanguageAndTheSearchKnowsAllOfThem() {
    assertThat(search("zweite UNIVERSITAT").text()).contains("Second university").doesNotContain("Example IdP");
    assertThat(search("students second").text()).contains("Second university");
    assertThat(search("<b>nothing").text())
        .contains("Nothing was found for", "&lt;b&gt;nothing")
        .doesNotContain("Second university", "<b>");
  }

  private EdgeReply search(String text) {
    return browser.open(
        SpWorld.HOME + "/.gatehouse/discovery?return=/app&q=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
  }

  @Test
  void theLastChoiceIsOfferedFirstAndNeverTakenUnasked() {
    choose(discovery("/app"), SECOND, Map.of());

    EdgeReply again = discovery("/app");

    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text().indexOf("Second university")).isLessThan(again.text().indexOf("Example IdP"));
    assertThat(again.text()).contains("Last chosen");
  }

  @Test
  void whoAskedForItIsTakenThereAndMayForget() {
    choose(discovery("/app"), SECOND, Map.of("always", "true"));
    EdgeReply direct = browser.follow(browser.open(SpWorld.HOME + "/app"));
    assertThat(SpWorld.location(direct).toString()).startsWith(SECOND_SSO);

    EdgeReply page = browser.open(SpWorld.HOME + "/.gatehouse/discovery?return=/app");
    assertThat(page.text()).contains("You are always taken to Second university");
    Map<String, String> fields = hidden(page);
    fields.put("forget", "true");
    browser.post(SpWorld.HOME + "/.gatehouse/discovery", fields);

    assertThat(discovery("/app").text()).doesNotContain("Last chosen");
  }

  @Test
  void anotherSiteCannotChoose() {
    EdgeReply reply =
        browser.postFromElsewhere(
            SpWorld.HOME + "/.gatehouse/discovery", Map.of("idp", SECOND, "always", "true", "return", "/app"));

    assertThat(reply.status()).isEqualTo(403);
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_choice")).isEmpty();
  }

  @Test
  void oneThatCannotBeUsedIsShownAndCannotBeChosen() {
    world.identityProvider(SamlFixtures.idpMetadata());
    EdgeReply page = discovery("/app");
    assertThat(page.text()).contains("Not available at the moment").containsPattern("value=\"" + SECOND + "\" disabled");

    assertThat(choose(page, SECOND, Map.of()).text()).contains("Where do you want to sign in?");
  }

  @Test
  void whatIsNoProviderOfTheRealmCannotBeChosen() {
    assertThat(choose(discovery("/app"), "https://evil.example", Map.of()).text()).contains("Where do you want to sign in?");
    assertThat(discovery("/.gatehouse/login?return=/app&idp=https://evil.example").text())
        .contains("Where do you want to sign in?");
  }

  @Test
  void theRoutesOwnProviderIsNotAskedFor() {
    EdgeReply direct = discovery("/second");

    assertThat(SpWorld.location(direct).toString()).startsWith(SECOND_SSO);
    EdgeReply insisted = discovery("/.gatehouse/discovery?return=/second&route=second");
    assertThat(SpWorld.location(insisted).toString()).startsWith(SECOND_SSO);
  }

  @Test
  void aSessionOfAnotherProviderDoesNotOpenTheRoute() {
    AuthnRequest first =
        world.authnRequest(redirect(choose(discovery("/app"), SamlFixtures.IDP, Map.of())));
    browser.submitWithCookies(world.posted(world.response(first), Optional.empty()));
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();

    EdgeReply asked = discovery("/second");

    assertThat(SpWorld.location(asked).toString()).startsWith(SECOND_SSO);
    EdgeReply link = browser.open(SpWorld.HOME + "/.gatehouse/login?return=/second&route=second");
    assertThat(SpWorld.location(link).toString()).as("no loop between the route and the login").startsWith(SECOND_SSO);
    EdgeReply other = browser.open(SpWorld.HOME + "/.gatehouse/login?return=/app&route=app");
    assertThat(SpWorld.location(other)).as("other routes are open").hasToString(SpWorld.HOME + "/app");
  }

  /** Mix-up: the request went to the first provider, and the second answers it with its own assertion. */
  @Test
  void case12AnotherProviderOfTheRealmCannotAnswerForTheOneThatWasAsked() {
    AuthnRequest first =
        world.authnRequest(redirect(choose(discovery("/app"), SamlFixtures.IDP, Map.of())));

    EdgeReply reply = browser.submitWithCookies(answer(first));

    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.ISSUER_MISMATCH.name());
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    browser.submitWithCookies(world.posted(world.response(first), Optional.empty()));
    assertThat(world.session(browser, SpWorld.HOME)).as("the one that was asked still may").isPresent();
  }
}
