package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.valkey.SharedValkey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Two identity providers over one Valkey: what begins at one of them ends at the other, and what one counts counts at both. */
final class TwoNodesTest {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));
  private static final String DEVICE = "/realms/demo/device";
  private static final String PAR = "/realms/demo/oauth/par";

  @RegisterExtension static final SharedValkey VALKEY = new SharedValkey();

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final OAuthApp app = new OAuthApp();
  private final List<Idp> nodes = new ArrayList<>();

  @BeforeEach
  void begin() {
    VALKEY.server().command("FLUSHALL");
  }

  @AfterEach
  void close() {
    nodes.forEach(node -> node.context.close());
  }

  private Idp node(Realm realm) {
    return node(VALKEY.stores("idp", SEALING, time), realm);
  }

  private Idp node(Stores stores, Realm realm) {
    Idp node = new Idp(time, stores, SEALING, realm);
    nodes.add(node);
    return node;
  }

  @Test
  void anArtifactOfOneNodeIsResolvedOnceAtTheOther() {
    Idp first = node(TestRealms.demo());
    Idp second = node(TestRealms.demo());
    TestBrowser browser = first.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    AuthnRequest request = Requests.binding(first.authnRequest(Idp.APP), Binding.ARTIFACT.uri());
    String artifact = TestSp.parameter(browser.get(Idp.redirect(request)), "SAMLart");
    EdgeReply answer = TestSp.ask(second, TestSp.resolve(second, Idp.APP, artifact), SamlFixtures.spKey());
    assertThat(((Response) TestSp.read(answer).message().orElseThrow()).inResponseTo()).contains(request.id());
    EdgeReply again = TestSp.ask(first, TestSp.resolve(first, Idp.APP, artifact), SamlFixtures.spKey());
    assertThat(TestSp.read(again).message()).as("it was given out").isEmpty();
  }

  /**
   * A node marks a sign-on before it answers, and dies: browsers send a GET without an answer again, and the balancer gives it to the other
   * node. A mark counts however little came of it; the person starts again. The faults' {@code Visitor} knows that heading.
   */
  @Test
  void aSignOnWhoseAnswerWasLostWithItsNodeStartsAgainWithoutAPassword() {
    Idp first = node(OAuthApp.realm(app));
    Idp second = node(OAuthApp.realm(app));
    Supplier<String> saml = () -> Idp.redirect(first.authnRequest(Idp.APP));
    Supplier<String> code = () -> OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(app.request());
    for (Supplier<String> start : List.of(saml, code)) {
      TestBrowser browser = first.browser();
      EdgeReply goesOn = browser.login(browser.follow(browser.get(start.get())), "alice", "demo");
      TestBrowser sameBrowser = second.browser();
      sameBrowser.cookies.putAll(browser.cookies);
      assertThat(browser.follow(goesOn).status()).as("the answer that is lost").isIn(200, 303);

      EdgeReply page = sameBrowser.follow(goesOn);
      assertThat(page.status()).isEqualTo(400);
      assertThat(page.text()).contains("<h1>This sign-on was already used</h1>", "an answer that did not reach you", "start again");
      EdgeReply again = sameBrowser.get(start.get());
      assertThat(again.text() + again.headers().first("Location").orElse("")).containsAnyOf("SAMLResponse", "code=");
    }
  }

  /** The first node changes a session that it knows from before the other node's change. */
  @Test
  void twoSignOnsAtTheSameTimeHaveOneSessionIndexAtBothNodes() {
    MeanwhileStores stores = new MeanwhileStores(VALKEY.stores("idp", SEALING, time));
    Idp first = node(stores, TestRealms.demo());
    Idp second = node(TestRealms.demo());
    // By mail address, because each of these nodes has persistent names of its own.
    nodes.forEach(node -> node.partners.put(Idp.config(Idp.WIKI, NameIdFormat.EMAIL), Idp.metadata(Idp.WIKI, true)));
    TestBrowser browser = first.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    TestBrowser sameBrowser = second.browser();
    sameBrowser.cookies.putAll(browser.cookies);

    List<String> indexes = new ArrayList<>();
    String atSecond = Idp.redirect(first.authnRequest(Idp.WIKI));
    stores.beforeNextChange(() -> indexes.add(sessionIndex(sameBrowser.get(atSecond))));
    indexes.add(sessionIndex(browser.get(Idp.redirect(first.authnRequest(Idp.WIKI)))));
    assertThat(indexes).hasSize(2);
    assertThat(indexes.getLast()).isEqualTo(indexes.getFirst());
    assertThat(sessionIndex(browser.get(Idp.redirect(first.authnRequest(Idp.WIKI))))).isEqualTo(indexes.getFirst());
  }

  private static String sessionIndex(EdgeReply page) {
    return Idp.response(page).assertions().getFirst().authnStatement().orElseThrow().sessionIndex().orElseThrow();
  }

  private static String poll(OAuthApp app, Idp node, JsonNode codes) {
    JsonNode answer =
        OAuthApp.json(
            app.server(node)
                .post(
                    "/realms/demo/oauth/token",
                    Map.of(
                        "grant_type", "urn:ietf:params:oauth:grant-type:device_code",
                        "device_code", codes.path("device_code").asString())));
    return answer.path("error").asString(answer.has("access_token") ? "tokens" : "none");
  }

  private static JsonNode device(OAuthApp app, Idp node) {
    return OAuthApp.json(app.server(node).post("/realms/demo/oauth/device_authorization", Map.of("scope", "openid")));
  }

  @Test
  void aDeviceCodeOfOneNodeIsApprovedAtTheOtherAndPolledAtBoth() {
    Idp first = node(OAuthApp.realm(app));
    Idp second = node(OAuthApp.realm(app));
    JsonNode codes = device(app, first);
    assertThat(poll(app, second, codes)).isEqualTo("authorization_pending");
    TestBrowser browser = OAuthApp.signedIn(second, "alice");
    String csrf = TestBrowser.field(browser.get(DEVICE).text(), "csrf");
    EdgeReply question =
        browser.follow(browser.post(DEVICE, Map.of("csrf", csrf, "user_code", codes.path("user_code").asString())));
    assertThat(OAuthApp.answer(browser, question, "allow").text()).contains("The device is connected");
    time.advance(Duration.ofSeconds(5));
    assertThat(poll(app, first, codes)).isEqualTo("tokens");
    time.advance(Duration.ofSeconds(5));
    assertThat(poll(app, second, codes)).as("once").isEqualTo("invalid_grant");
  }

  @Test
  void aDeviceThatPollsAllNodesIsTooQuickAllTheSame() {
    Idp first = node(OAuthApp.realm(app));
    Idp second = node(OAuthApp.realm(app));
    JsonNode codes = device(app, first);
    assertThat(poll(app, first, codes)).isEqualTo("authorization_pending");
    time.advance(Duration.ofSeconds(4));
    assertThat(poll(app, second, codes)).isEqualTo("slow_down");
    time.advance(Duration.ofSeconds(6));
    assertThat(poll(app, first, codes)).as("ten seconds now").isEqualTo("slow_down");
    time.advance(Duration.ofSeconds(15));
    assertThat(poll(app, second, codes)).isEqualTo("authorization_pending");
  }

  @Test
  void pushedRequestsOfANetworkAreLimitedAtAllNodesTogetherAndAnAnswerAtOneFreesAPlaceAtTheOther() {
    app.methods = Set.of(Method.NONE);
    Idp first = node(OAuthApp.realm(app));
    Idp second = node(OAuthApp.realm(app));
    Map<String, String> large = new HashMap<>(app.request());
    large.put("client_id", "app");
    large.put("state", "s".repeat(7_000));
    List<String> pushed = new ArrayList<>();
    EdgeReply reply = push(first, large);
    while (reply.status() == 201 && pushed.size() < 200) {
      pushed.add(OAuthApp.json(reply).path("request_uri").asString());
      reply = push(pushed.size() % 2 == 0 ? first : second, large);
    }
    assertThat(reply.status()).isEqualTo(429);
    assertThat(pushed).as("half a megabyte").hasSizeBetween(50, 75);
    assertThat(push(first, large).status()).isEqualTo(429);
    assertThat(push(second, large).status()).isEqualTo(429);

    TestBrowser browser = OAuthApp.signedIn(second, "alice");
    EdgeReply answer = browser.get(OAuthApp.AUTHORIZE + "?client_id=app&request_uri=" + pushed.getFirst());
    assertThat(OAuthApp.code(answer)).isNotEmpty();
    assertThat(push(first, large).status()).isEqualTo(201);
    assertThat(push(second, large).status()).isEqualTo(429);
  }

  private static EdgeReply push(Idp node, Map<String, String> request) {
    TestBrowser client = node.browser();
    client.headers = Map.of();
    return client.post(PAR, request);
  }
}
