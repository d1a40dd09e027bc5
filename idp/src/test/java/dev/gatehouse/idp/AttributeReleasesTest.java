package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.admin.AdminResource.AttributeReleases;
import dev.gatehouse.common.admin.ReleaseView;
import dev.gatehouse.common.admin.ReleaseView.ReleasedValue;
import dev.gatehouse.common.audit.AuditEvent.ConsentChanged;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What administrators see of releases is what logins release. */
final class AttributeReleasesTest {

  private static final String ALICE = FakeDirectory.ALICE.id().value();
  private static final AttributeConsumingService SERVICE =
      new AttributeConsumingService(
          4, true, Map.of("en", "App"), List.of(wish("uid", false), wish("mail", false, "other@example.com"), wish("title", true)));

  private static RequestedAttribute wish(String name, boolean required, String... values) {
    return new RequestedAttribute(name, SamlAttribute.UNSPECIFIED, Optional.empty(), required, List.of(values));
  }

  private static AttributeReleases releases(Idp idp) {
    return idp.context.getBean(AttributeReleases.class);
  }

  private static ReleaseView toApp(Idp idp, Optional<Integer> service) {
    return releases(idp).toServiceProvider("demo", ALICE, Idp.APP, service).orElseThrow();
  }

  private static List<String> released(ReleaseView view) {
    return view.values().stream()
        .filter(value -> value.withheld().isEmpty())
        .map(value -> value.name() + "=" + value.value().orElseThrow())
        .toList();
  }

  private static String withheld(ReleaseView view, String name) {
    return view.values().stream()
        .filter(value -> value.name().equals(name))
        .flatMap(value -> value.withheld().stream())
        .findFirst()
        .orElse("released");
  }

  private static PartnerConfig config(Map<String, Release> release, AsServiceProvider as) {
    return TestSp.as(TestSp.releasing(Idp.config(Idp.APP, NameIdFormat.PERSISTENT), release), as);
  }

  @Test
  void anAssertionHasWhatWasShown() {
    Idp idp = new Idp();
    Map<String, Release> release = Map.of("uid", Release.of("uid"), "mail", Release.of("mail"), "groups", Release.of("groups"));
    idp.partners.put(config(release, AsServiceProvider.PLAIN), TestSp.asking(Idp.APP, SERVICE));
    ReleaseView all = toApp(idp, Optional.empty());
    ReleaseView narrowed = toApp(idp, Optional.of(4));
    TestBrowser browser = idp.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");

    assertThat(released(all)).isEqualTo(told(browser.get(Idp.redirect(idp.authnRequest(Idp.APP)))));
    assertThat(released(narrowed)).isEqualTo(told(browser.get(Idp.redirect(Requests.attributes(idp.authnRequest(Idp.APP), 4)))));
    assertThat(released(narrowed)).containsExactly("uid=alice");
    assertThat(withheld(narrowed, "mail")).isEqualTo("value-not-requested");
    assertThat(withheld(narrowed, "groups")).isEqualTo("not-requested");
    assertThat(withheld(narrowed, "title")).isEqualTo("not-configured");
    assertThat(narrowed.missing()).containsExactly("title");
    assertThat(withheld(all, "cn")).as("an attribute of the directory without a rule").isEqualTo("not-configured");
    assertThat(all.values().toString()).as("its value").doesNotContain("Ängström");
  }

  private static List<String> told(dev.gatehouse.common.http.EdgeReply page) {
    return Idp.response(page).assertions().getFirst().attributes().stream()
        .flatMap(attribute -> attribute.values().stream().map(value -> attribute.name() + "=" + value))
        .toList();
  }

  @Test
  void anExplanationMakesNoNameIdAndFindsTheOneOfALogin() {
    Idp idp = new Idp();
    idp.partners.put(config(Map.of(), AsServiceProvider.PLAIN), Idp.metadata(Idp.APP, false));
    assertThat(toApp(idp, Optional.empty()).subject().value()).isEmpty();
    assertThat(toApp(idp, Optional.empty()).subject().value()).as("none was made").isEmpty();
    TestBrowser browser = idp.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    String nameId = Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP)))).assertions().getFirst().subject().value();
    assertThat(toApp(idp, Optional.empty()).subject().value()).contains(nameId);
  }

  @Test
  void consentAndWhatRefusesALoginAreShown() {
    Idp idp = new Idp();
    Map<String, Release> release = Map.of("uid", Release.of("uid"), "login", new Release("mail", Optional.of("example.org")));
    AsServiceProvider strict = new AsServiceProvider(Set.of(Encrypted.ASSERTION), true, Optional.empty(), true);
    idp.partners.put(config(release, strict), Idp.metadata(Idp.APP, false));
    ReleaseView view = toApp(idp, Optional.empty());
    assertThat(view.consent()).isEqualTo(new ReleaseView.ReleaseConsent("missing", Optional.empty(), List.of("uid")));
    assertThat(view.problems()).singleElement().asString().contains("no key");
    assertThat(withheld(view, "login")).isEqualTo("has-scope");
    assertThat(view.values()).filteredOn(value -> value.source().equals(Optional.of("password"))).singleElement()
        .satisfies(value -> assertThat(value.withheld()).contains("login-only"));
    idp.consents.give("demo", Idp.APP, FakeDirectory.ALICE.id(), Set.of("uid"));
    assertThat(toApp(idp, Optional.empty()).consent().decision()).isEqualTo("given");
    assertThat(idp.audit.events(ConsentChanged.class)).isEmpty();
  }

  @Test
  void whatIsUnknownHasNoAnswer() {
    Idp idp = new Idp();
    assertThat(releases(idp).toServiceProvider("demo", ALICE, "https://nobody.example", Optional.empty())).isEmpty();
    assertThat(releases(idp).toServiceProvider("demo", "nobody", Idp.APP, Optional.empty())).isEmpty();
    assertThat(releases(idp).toServiceProvider("other", ALICE, Idp.APP, Optional.empty())).isEmpty();
    assertThat(releases(idp).toClient("demo", ALICE, "nobody", Optional.empty(), Optional.empty())).isEmpty();
    assertThatThrownBy(() -> toApp(idp, Optional.of(9))).hasMessageContaining("index 9");
  }

  @Test
  void tokensAndUserInfoHaveWhatWasShown() {
    OAuthApp app = new OAuthApp();
    Idp idp = new Idp(OAuthApp.realm(app));
    String claims = "{\"userinfo\":{\"groups\":null},\"id_token\":{\"name\":null}}";
    ReleaseView view = toClient(idp, Optional.of("openid email roles"), Optional.of(claims));
    JsonNode tokens =
        app.exchange(idp, OAuthApp.code(app.ask(OAuthApp.signedIn(idp, "alice"), "scope", "openid email roles", "claims", claims)));
    TestBrowser program = idp.browser();
    program.headers = Map.of("Authorization", "Bearer " + tokens.path("access_token").asString());
    JsonNode userInfo = OAuthApp.json(program.get("/realms/demo/oauth/userinfo"));
    JsonNode idToken = OAuthApp.claims(tokens.path("id_token").asString());

    assertThat(view.subject().value()).contains(userInfo.path("sub").asString());
    assertThat(names(view, "userinfo")).containsExactly("email");
    assertThat(userInfo.propertyNames()).containsExactlyInAnyOrder("sub", "email");
    assertThat(names(view, "id_token")).containsExactly("name");
    assertThat(idToken.path("name").asString()).isEqualTo(value(view, "name"));
    assertThat(withheld(view, "roles")).as("the client may not have the scope").isEqualTo("scope-not-allowed");
    assertThat(withheld(view, "preferred_username")).isEqualTo("not-requested");
  }

  /** OpenID Connect Core 5.5: the name of a claim is no way round the scopes that a client may have. */
  @Test
  void aClaimByItsNameNeedsAScopeThatTheClientMayHave() {
    OAuthApp app = new OAuthApp();
    app.scopes = Set.of("openid", "roles");
    Idp idp = new Idp(OAuthApp.realm(app));
    String claims = "{\"userinfo\":{\"groups\":null,\"email\":{\"essential\":true}}}";
    ReleaseView view = toClient(idp, Optional.of("openid"), Optional.of(claims));
    assertThat(names(view, "userinfo")).containsExactly("groups");
    assertThat(withheld(view, "email")).isEqualTo("scope-not-allowed");
    assertThat(withheld(view, "roles")).isEqualTo("not-requested");
  }

  @Test
  void withoutOpenIdThereIsNoIdToken() {
    Idp idp = new Idp(OAuthApp.realm(new OAuthApp()));
    ReleaseView view = toClient(idp, Optional.of("profile email"), Optional.empty());
    assertThat(names(view, "id_token")).isEmpty();
    assertThat(names(view, "access_token")).containsExactly("preferred_username");
    assertThat(withheld(view, "email")).isEqualTo("openid-not-requested");
    assertThat(withheld(toClient(idp, Optional.empty(), Optional.empty()), "phone_number")).isEqualTo("not-requested");
    assertThatThrownBy(() -> toClient(idp, Optional.empty(), Optional.of("x"))).hasMessageContaining("`claims` cannot be read");
  }

  private static ReleaseView toClient(Idp idp, Optional<String> scope, Optional<String> claims) {
    return releases(idp).toClient("demo", ALICE, OAuthApp.ID, scope, claims).orElseThrow();
  }

  private static List<String> names(ReleaseView view, String place) {
    return view.values().stream().filter(value -> value.places().contains(place)).map(ReleasedValue::name).toList();
  }

  private static String value(ReleaseView view, String name) {
    return view.values().stream().filter(value -> value.name().equals(name)).findFirst().flatMap(ReleasedValue::value).orElseThrow();
  }
}
