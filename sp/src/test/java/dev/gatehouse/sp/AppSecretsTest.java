package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.AppSecretsChanged;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Failure;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.sp.secret.AppSecretsData;
import dev.gatehouse.sp.session.AppSession;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page on which people store the values that fill apps' forms. */
final class AppSecretsTest {

  private static final String PAGE = SpWorld.HOME + "/.gatehouse/secrets";

  private final SpWorld world =
      new SpWorld(
          change ->
              change.routes(
                  TestRoutes.withFormFill(
                      TestRealms.route("shop", "/shop/", URI.create("http://127.0.0.1:9"), new Access.Protected()),
                      fill())));
  private final TestBrowser browser = new TestBrowser(world);
  private PersonId alice = new PersonId("-");

  private static FormFillConfig fill() {
    Map<String, Source> fields = new LinkedHashMap<>();
    fields.put("u", new Source.Stored("username"));
    fields.put("p", new Source.Stored("password"));
    return new FormFillConfig(
        "shop", new FormRule("/shop/login", Set.of(200), Optional.empty(), Optional.empty(), Optional.empty(), List.of()),
        fields, Optional.empty(), Failure.NONE, Optional.empty(), 20);
  }

  @BeforeEach
  void logIn() {
    var request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    browser.follow(browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));
    alice = world.session(browser, SpWorld.HOME).map(AppSession::person).orElseThrow();
  }

  private static String csrf(EdgeReply page) {
    Matcher matcher = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(page.text());
    assertThat(matcher.find()).as(page.text()).isTrue();
    return matcher.group(1);
  }

  private Map<String, String> form(String csrf, String... more) {
    Map<String, String> form = new LinkedHashMap<>(Map.of("csrf", csrf, "app", "shop"));
    for (int i = 0; i < more.length; i += 2) {
      form.put(more[i], more[i + 1]);
    }
    return form;
  }

  @Test
  void storesShowsAndForgets() {
    EdgeReply page = browser.open(PAGE + "?app=shop&why=missing&back=/shop/login");
    assertThat(page.text()).contains("User name").contains("Store it once").contains("value=\"/shop/login\"");
    assertThat(page.headers().all("Cache-Control")).contains("no-store");

    EdgeReply stored =
        browser.post(
            PAGE, form(csrf(page), "value.username", "al", "value.password", "quiet-1", "back", "/shop/login"));
    assertThat(stored.status()).isEqualTo(303);
    assertThat(stored.headers().first("Location")).contains("/shop/login");
    assertThat(world.secrets.of("demo", alice, "shop").get("password")).isNotNull()
        .satisfies(kept -> assertThat(kept.value()).isEqualTo(new Secret("quiet-1")));

    EdgeReply again = browser.open(PAGE);
    assertThat(again.text()).contains("is stored").doesNotContain("quiet-1").doesNotContain("\"al\"");
    assertThat(browser.post(PAGE, form(csrf(again), "value.password", "quiet-2")).status()).isEqualTo(303);
    assertThat(world.secrets.of("demo", alice, "shop")).containsOnlyKeys("username", "password");

    assertThat(browser.post(PAGE, form(csrf(again), "remove", "true")).status()).isEqualTo(303);
    assertThat(world.secrets.named("demo", alice)).isEmpty();
    assertThat(world.audit.events(AppSecretsChanged.class)).extracting(AppSecretsChanged::change)
        .containsExactly("stored", "stored", "removed");
    assertThat(world.audit.events().toString()).doesNotContain("quiet-");
  }

  @Test
  void refusesForgedFormsAndForeignSites() {
    String csrf = csrf(browser.open(PAGE));
    assertThat(browser.post(PAGE, form("wrong", "value.username", "x", "value.password", "y")).status()).isEqualTo(403);
    assertThat(browser.postFromElsewhere(PAGE, form(csrf, "value.username", "x", "value.password", "y")).status())
        .isNotEqualTo(200);
    assertThat(world.secrets.named("demo", alice)).isEmpty();
  }

  @Test
  void leadsBackToThisOriginAlone() {
    EdgeReply page = browser.open(PAGE + "?app=shop&why=missing&back=//evil.example/");
    assertThat(page.text()).doesNotContain("evil.example");
    EdgeReply stored =
        browser.post(
            PAGE,
            form(csrf(page), "value.username", "al", "value.password", "q", "back", "https://evil.example/"));
    assertThat(stored.headers().first("Location")).contains("/.gatehouse/secrets?done=stored");
  }

  @Test
  void whatIsIncompleteIsNotStored() {
    EdgeReply page = browser.post(PAGE, form(csrf(browser.open(PAGE)), "value.username", "al"));
    assertThat(page.status()).isEqualTo(400);
    assertThat(page.text()).contains("fill in everything");
    assertThat(world.secrets.named("demo", alice)).isEmpty();
    // A value that no app requests is not stored, even if the form contains it.
    browser.post(PAGE, form(csrf(browser.open(PAGE)), "value.username", "a", "value.password", "b", "value.other", "c"));
    assertThat(world.secrets.of("demo", alice, "shop")).containsOnlyKeys("username", "password");
  }

  @Test
  void onePersonsValuesOpenForNobodyElse() {
    browser.post(PAGE, form(csrf(browser.open(PAGE)), "value.username", "al", "value.password", "quiet-1"));
    assertThat(world.secrets.of("demo", new PersonId("somebody"), "shop")).isEmpty();
    assertThat(world.secrets.of("other", alice, "shop")).isEmpty();
    assertThat(new TestBrowser(world).open(PAGE).status()).isEqualTo(303);
  }

  @Test
  void whomAPartnerCallsByTheSameNameKeepsTheirValues() {
    Realm realm = TestRealms.change(TestRealms.demo()).identityProviders(TestRealms.IDP_ENTITY, "https://partner.example").realm();
    AppSecretsData data = new AppSecretsData(world.secrets, new FixedRealms(realm));
    AuditEvent.Context context = new AuditEvent.Context("demo", "-", Optional.empty());
    PersonId carol = AppSession.personId(TestRealms.IDP_ENTITY, "carol");
    PersonId another = AppSession.personId("https://partner.example", "carol");
    world.secrets.put(context, carol, "shop", Map.of("password", "quiet-1"));
    world.secrets.put(context, another, "shop", Map.of("password", "quiet-2"));
    PersonReference person = new PersonReference("carol-id", "carol");
    assertThat(data.ofPerson("demo", person).get("appSecrets")).hasSize(1);
    assertThat(data.erase("demo", person, "ops")).containsEntry("appSecrets", 1);
    assertThat(world.secrets.named("demo", carol)).isEmpty();
    assertThat(world.secrets.named("demo", another)).hasSize(1);
  }
}
