package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.TestRealms;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HTTP Basic (RFC 7617), and the attack that it must prevent: a login made by another person's link. */
final class BasicLoginTest {

  private static final Map<String, String> HTML = Map.of("Accept", "text/html");

  private final Idp idp = new Idp(TestRealms.change(TestRealms.demo()).contracts(contracts(true)).realm());
  private final TestBrowser browser = idp.browser();

  private static ContractsConfig contracts(boolean basic) {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    return new ContractsConfig(basic, SecondFactor.OPTIONAL, plain.totp(), plain.certificate());
  }

  @BeforeEach
  void theAppAsksForBasic() {
    PartnerConfig plain = Idp.config(Idp.APP, NameIdFormat.TRANSIENT);
    idp.partners.put(
        new PartnerConfig(
            plain.entityId(), plain.displayName(), plain.metadata(), plain.release(), plain.nameId(), plain.logout(),
            new AsServiceProvider(Set.of(), false, Optional.of("basic")), plain.asIdentityProvider(), false),
        Idp.metadata(Idp.APP, false));
  }

  @Test
  void aPartnerThatAsksForItGetsItWithoutAForm() {
    String address = basicAddress();
    EdgeReply challenge = browser.get(address);
    assertThat(challenge.status()).isEqualTo(401);
    assertThat(challenge.headers().first("WWW-Authenticate")).contains("Basic realm=\"demo\", charset=\"UTF-8\"");
    assertThat(browser.follow(with(credentials("alice", "demo"), address)).text()).contains("SAMLResponse");
    assertThat(idp.audit.events(AuditEvent.LoginSucceeded.class).getLast().contract()).isEqualTo("basic");
  }

  @Test
  void namesAndPasswordsAreUtf8AndMayHaveColonsInThePassword() {
    idp.directory.put(FakeDirectory.person("z0e", "zoë", "Zoë", List.of()), "pä:ss:€");
    String address = basicAddress();
    assertThat(with(basic("zoë:pä:ss:€", StandardCharsets.ISO_8859_1), address).status()).isEqualTo(401);
    assertThat(with(basic("zoë:pä:ss:€", StandardCharsets.UTF_8), address).status()).isEqualTo(303);
  }

  @Test
  void wrongOnesAreAskedForAgainAndThrottledLikeTheForm() {
    String address = basicAddress();
    for (int i = 0; i < 10; i++) {
      EdgeReply again = with(credentials("alice", "wrong"), address);
      assertThat(again.status()).isEqualTo(401);
      assertThat(again.headers().first("WWW-Authenticate")).isPresent();
    }
    EdgeReply throttled = with(credentials("alice", "demo"), address);
    assertThat(throttled.status()).isEqualTo(429);
    assertThat(throttled.headers().first("Retry-After")).isPresent();
    TestBrowser other = idp.browser();
    assertThat(other.login(other.get("/realms/demo/login"), "alice", "demo").status()).as("one counter").isEqualTo(429);
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class))
        .allMatch(refused -> refused.contract().equals("basic") || refused.contract().equals("password"))
        .extracting(AuditEvent.LoginRefused::reason)
        .contains("WRONG_PASSWORD", "THROTTLED_ACCOUNT");
  }

  @Test
  void whatCannotBeReadIsAskedForAgain() {
    String address = basicAddress();
    for (String sent :
        List.of("Basic", "Basic !!!", "Basic " + "A".repeat(5000), "Bearer abc", "Basic " + base64("nocolon".getBytes(StandardCharsets.UTF_8)))) {
      assertThat(with(sent, address).status()).as(sent).isEqualTo(401);
    }
    assertThat(idp.directory.binds).hasValue(0);
    assertThat(with(credentials("alice", ""), address).status()).isEqualTo(401);
    assertThat(idp.directory.binds).as("an empty password is no bind").hasValue(0);
  }

  @Test
  void aLinkWithCredentialsLogsNobodyIn() {
    // https://mallory:pw@idp/... : the browser sends these credentials along wherever relative addresses lead it from
    // there.
    assertThat(with(credentials("bob", "demo"), "/realms/demo/login/basic").status()).as("nothing waits").isEqualTo(400);
    TestBrowser attacker = idp.browser();
    String theirs = attacker.get(Idp.redirect(idp.authnRequest(Idp.APP))).headers().first("Location").orElseThrow();
    String key = theirs.replaceAll(".*pending=", "");
    browser.get("/realms/demo/login");
    assertThat(with(credentials("bob", "demo"), "/realms/demo/login/basic?pending=" + key).status())
        .as("the attacker's own sign-on in the victim's browser")
        .isEqualTo(400);
    String address = basicAddress();
    assertThat(address).as("whole, so that nothing is inherited").startsWith(TestRealms.IDP + "/");
    assertThat(browser.cookies).doesNotContainKey("gh_idp.demo");
    assertThat(idp.directory.binds).hasValue(0);
  }

  @Test
  void rememberedCredentialsAreNoFreshLogin() {
    EdgeReply login = browser.get(Idp.redirect(Requests.asking(idp.authnRequest(Idp.APP), true, false)));
    EdgeReply form = browser.follow(login);
    assertThat(form.text()).contains("name=\"password\"");
    String key = TestSp.parameter(login, "pending");
    EdgeReply sent = with(credentials("alice", "demo"), "/realms/demo/login/basic?pending=" + key);
    assertThat(sent.headers().first("Location").orElseThrow()).endsWith("/login?pending=" + key);
    assertThat(idp.directory.binds).hasValue(0);

    // A login made meanwhile for another sign-on does not count either.
    assertThat(with(credentials("alice", "demo"), basicAddress()).status()).isEqualTo(303);
    assertThat(browser.get("/realms/demo/saml/sso?pending=" + key).headers().first("Location").orElseThrow())
        .contains("/login?pending=");
  }

  @Test
  void whoCancelsFindsTheForm() {
    EdgeReply challenge = browser.get(basicAddress());
    String form = challenge.text().replaceAll("(?s).*href=\"([^\"]*by=form)\".*", "$1").replace("&amp;", "&");
    EdgeReply page = browser.get(form);
    assertThat(page.text()).contains("name=\"password\"");
    assertThat(browser.follow(browser.login(page, "alice", "demo")).text()).contains("SAMLResponse");
  }

  @Test
  void whereItIsOffItIsNotThere() {
    idp.realms.set(TestRealms.change(TestRealms.demo()).contracts(contracts(false)).realm());
    browser.headers = HTML;
    EdgeReply login = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    assertThat(browser.follow(login).text()).contains("name=\"password\"");
    String key = TestSp.parameter(login, "pending");
    assertThat(with(credentials("alice", "demo"), "/realms/demo/login/basic?pending=" + key).status()).isEqualTo(404);
  }

  /** The address to which the app's sign-on leads a browser. */
  private String basicAddress() {
    browser.headers = HTML;
    return browser.get(Idp.redirect(idp.authnRequest(Idp.APP))).headers().first("Location").orElseThrow();
  }

  private EdgeReply with(String authorization, String address) {
    browser.headers = Map.of("Accept", "text/html", "Authorization", authorization);
    return browser.get(address);
  }

  private static String credentials(String name, String password) {
    return basic(name + ":" + password, StandardCharsets.UTF_8);
  }

  private static String basic(String text, Charset charset) {
    return "Basic " + base64(text.getBytes(charset));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
