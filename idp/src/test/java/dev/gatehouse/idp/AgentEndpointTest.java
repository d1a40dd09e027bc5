package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.oauth.client.TestClients;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Agents that ask about passcodes: who may, what they are told, and what a copied request is worth. */
final class AgentEndpointTest {

  private static final String PATH = "/realms/demo/otp/v1/authentications";
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final TestKey KEY = TestKey.p256("portal");
  private static final TestKey OTHER = TestKey.p256("other");

  private final Idp idp = new Idp(realm());

  private static Realm realm() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(TokenLogin.USUAL));
    return TestRealms.change(TestRealms.demo())
        .contracts(contracts)
        .clients(
            agent(TestClients.keys("portal", Method.PRIVATE_KEY_JWT, KEY), Set.of(), 5),
            agent(TestClients.keys("second", Method.PRIVATE_KEY_JWT, OTHER), Set.of("manager"), 100),
            TestClients.keys("app", Method.PRIVATE_KEY_JWT, KEY),
            agent(TestClients.secret("weak", Method.SECRET_BASIC, Method.SECRET_POST), Set.of(), 5))
        .realm();
  }

  private static ClientConfig agent(ClientConfig c, Set<String> roles, int perSecond) {
    ClientConfig.Permissions p = c.permissions();
    return new ClientConfig(
        c.clientId(), c.displayName(), c.authentication(),
        new ClientConfig.Permissions(
            p.grants(), p.redirectUris(), p.scopes(), p.resources(), Optional.of(new ClientConfig.Passcodes(roles, perSecond))),
        c.login(), c.requests(), c.tokens(), c.keys(), c.logout(), c.about());
  }

  @BeforeEach
  void assign() {
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-agent", SEED, FakeDirectory.ALICE.id(), "2468");
  }

  @AfterEach
  void erase() {
    Idp.TOKENS.erase("demo", FakeDirectory.ALICE.id());
    Idp.TOKENS.remove("demo", "t-agent");
  }

  private String code(int steps) throws Exception {
    return new TimeBasedOneTimePasswordGenerator()
        .generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant().plusSeconds(30L * steps));
  }

  private void next() {
    idp.time.advance(Duration.ofSeconds(30));
  }

  private String assertion(TestKey key, String client) {
    long now = idp.time.instant().getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", client);
    claims.put("sub", client);
    claims.put("aud", TestRealms.IDP_ENTITY);
    claims.put("iat", now);
    claims.put("exp", now + 60);
    claims.put("jti", UUID.randomUUID().toString());
    return key.sign(JwsName.ES256, claims);
  }

  private static Map<String, String> signed(String assertion, String... fields) {
    Map<String, String> all = new HashMap<>();
    all.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    all.put("client_assertion", assertion);
    for (int i = 0; i < fields.length; i += 2) {
      all.put(fields[i], fields[i + 1]);
    }
    return all;
  }

  private EdgeReply post(Map<String, String> form) {
    return idp.browser().postFromElsewhere(PATH, form);
  }

  private Map<String, Object> portal(String... fields) {
    EdgeReply reply = post(signed(assertion(KEY, "portal"), fields));
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.headers().first("Cache-Control")).contains("no-store");
    return json(reply);
  }

  private static Map<String, Object> json(EdgeReply reply) {
    return StrictJson.object(reply.body()).orElseThrow();
  }

  private String error(Map<String, String> form) {
    EdgeReply reply = post(form);
    return reply.status() + " " + json(reply).get("error");
  }

  @Test
  void acceptsOnceAndTellsWhoItIs() throws Exception {
    Map<String, Object> in = portal("name", "alice", "passcode", "2468" + code(0), "address", "198.51.100.7");
    assertThat(in).isEqualTo(Map.of("result", "accept", "sub", FakeDirectory.ALICE.id().value(), "name", "alice"));
    assertThat(portal("name", "alice", "passcode", "2468" + code(0))).isEqualTo(Map.of("result", "reject"));
    assertThat(portal("name", "nobody", "passcode", "2468" + code(0))).isEqualTo(Map.of("result", "reject"));
    assertThat(idp.audit.events(AuditEvent.PasscodeDecided.class))
        .extracting(e -> e.by() + " " + e.outcome() + " " + e.detail() + " " + e.context().client())
        .containsExactly(
            "agent:portal accepted t-agent 198.51.100.7", "agent:portal refused CODE_USED -", "agent:portal refused UNKNOWN_PERSON -");
  }

  @Test
  void aNextCodeIsAskedForAndBelongsToTheAgent() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(portal("name", "alice", "passcode", "0000" + code(0))).isEqualTo(Map.of("result", "reject"));
    }
    Map<String, Object> asked = portal("name", "alice", "passcode", "2468" + code(0));
    assertThat(asked).containsEntry("result", "challenge").containsEntry("question", "nextCode").doesNotContainKey("pinMin");
    String challenge = String.valueOf(asked.get("challenge"));
    next();
    EdgeReply others = post(signed(assertion(OTHER, "second"), "name", "alice", "passcode", code(0), "challenge", challenge));
    assertThat(json(others)).as("another agent").isEqualTo(Map.of("result", "reject"));
    assertThat(portal("name", "alice", "passcode", code(0), "challenge", challenge)).containsEntry("result", "accept");
  }

  @Test
  void aNewPinIsChosenThroughAnAgent() throws Exception {
    Optional<byte[]> former = Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).sealedPins();
    Idp.TOKENS.keepPins("demo", FakeDirectory.ALICE.id(), former, true);
    Map<String, Object> asked = portal("name", "alice", "passcode", "2468" + code(0));
    assertThat(asked).containsEntry("question", "newPin").containsEntry("pinMin", 4).containsEntry("pinMax", 8).containsEntry("pinLetters", false);
    Map<String, Object> again = portal("name", "alice", "passcode", "9173", "challenge", String.valueOf(asked.get("challenge")));
    assertThat(again).containsEntry("question", "newPinAgain");
    assertThat(portal("name", "alice", "passcode", "9173", "challenge", String.valueOf(again.get("challenge")))).containsEntry("result", "accept");
  }

  @Test
  void whoMayNotAskLearnsNothingAndCountsNothing() throws Exception {
    String passcode = "2468" + code(0);
    assertThat(error(Map.of("name", "alice", "passcode", passcode))).isEqualTo("401 invalid_client");
    assertThat(error(signed(assertion(OTHER, "portal"), "name", "alice", "passcode", passcode))).as("another key").isEqualTo("401 invalid_client");
    assertThat(error(signed(assertion(KEY, "app"), "name", "alice", "passcode", passcode))).as("no agent").isEqualTo("400 unauthorized_client");
    assertThat(error(Map.of("client_id", "weak", "client_secret", TestClients.SECRET, "name", "alice", "passcode", passcode)))
        .as("a secret").isEqualTo("400 unauthorized_client");
    String copied = assertion(KEY, "portal");
    assertThat(post(signed(copied, "name", "nobody", "passcode", "1")).status()).isEqualTo(200);
    assertThat(error(signed(copied, "name", "alice", "passcode", passcode))).as("replayed").isEqualTo("401 invalid_client");
    String old = assertion(KEY, "portal");
    idp.time.advance(Duration.ofMinutes(3));
    assertThat(error(signed(old, "name", "alice", "passcode", passcode))).as("expired").isEqualTo("401 invalid_client");
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isZero();
    assertThat(portal("name", "alice", "passcode", "2468" + code(0))).as("nothing was used up").containsEntry("result", "accept");
  }

  @Test
  void rolesAndRatesBelongToTheAgent() throws Exception {
    EdgeReply second = post(signed(assertion(OTHER, "second"), "name", "alice", "passcode", "2468" + code(0)));
    assertThat(json(second)).isEqualTo(Map.of("result", "reject"));
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class)).extracting(AuditEvent.LoginRefused::reason).contains("ROLE_MISSING");
    for (int i = 0; i < 5; i++) {
      portal("name", "nobody", "passcode", "1");
    }
    EdgeReply sixth = post(signed(assertion(KEY, "portal"), "name", "nobody", "passcode", "1"));
    assertThat(sixth.status()).isEqualTo(429);
    assertThat(sixth.headers().first("Retry-After")).contains("1");
    EdgeReply days = idp.browser().postFromElsewhere("/realms/demo/otp/v1/offline-days", signed(assertion(KEY, "portal"), "ticket", "AAAA"));
    assertThat(json(days)).as("counted apart").containsEntry("result", "ended").containsEntry("now", (int) idp.time.instant().getEpochSecond());
    assertThat(post(signed(assertion(OTHER, "second"), "name", "nobody", "passcode", "1")).status()).isEqualTo(200);
    idp.time.advance(Duration.ofSeconds(1));
    portal("name", "nobody", "passcode", "1");
  }

  /** Visitors whom an agent does not admit cost whoever types them nothing; an audit log that is full stops every login. */
  @Test
  void whomAnAgentDoesNotAdmitIsWrittenAtAPace() throws Exception {
    RefusalLog refusals = idp.context.getBean(RefusalLog.class);
    for (int i = 0; i < 500; i++) {
      assertThat(refusals.admits("demo", "agent:second")).isTrue();
    }
    post(signed(assertion(OTHER, "second"), "name", "alice", "passcode", "2468" + code(0)));
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class)).isEmpty();
    assertThat(idp.audit.events(AuditEvent.PasscodeDecided.class)).as("what was decided about one of our people")
        .singleElement().satisfies(decided -> assertThat(decided.detail()).isEqualTo("NOT_ADMITTED"));
    idp.time.advance(Duration.ofSeconds(1));
    post(signed(assertion(OTHER, "second"), "name", "alice", "passcode", "2468" + code(0)));
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class)).hasSize(1);
  }

  @Test
  void whatIsMalformedIsSaid() {
    assertThat(error(signed(assertion(KEY, "portal"), "name", "alice"))).isEqualTo("400 invalid_request");
    assertThat(error(signed(assertion(KEY, "portal"), "name", "al\nice", "passcode", "1"))).isEqualTo("400 invalid_request");
    assertThat(error(signed(assertion(KEY, "portal"), "name", "a".repeat(300), "passcode", "1"))).isEqualTo("400 invalid_request");
    EdgeReply address = post(signed(assertion(KEY, "portal"), "name", "alice", "passcode", "1", "address", "x".repeat(65)));
    assertThat(json(address).get("error_description")).isEqualTo("The parameter address is not plain text of up to 64 characters");
    assertThat(idp.browser().get(PATH).status()).isEqualTo(405);
    idp.realms.set(TestRealms.demo());
    assertThat(error(Map.of("name", "alice", "passcode", "1"))).isEqualTo("400 invalid_request");
  }

  @Test
  void ofOneCodeInParallelOneUseCounts() throws Exception {
    String passcode = "2468" + code(0);
    List<EdgeReply> replies =
        Race.of(
            8,
            i -> () -> post(signed(assertion(KEY, "portal"), "name", "alice", "passcode", passcode)));
    assertThat(replies).filteredOn(reply -> reply.status() == 200 && "accept".equals(json(reply).get("result"))).hasSize(1);
  }

  @Test
  void aDecisionThatCannotBeRecordedIsNoneThatAnotherServerMayRepeat() throws Exception {
    idp.audit.breakDown(true);
    try {
      assertThat(error(signed(assertion(KEY, "portal"), "name", "alice", "passcode", "2468" + code(0)))).isEqualTo("500 server_error");
    } finally {
      idp.audit.breakDown(false);
    }
    assertThat(portal("name", "alice", "passcode", "2468" + code(0))).as("the code is used up").containsEntry("result", "reject");
  }

  @Test
  void theDescriptionHasWhatTheEndpointSays() throws Exception {
    EdgeReply served = idp.browser().get("/realms/demo/otp/v1/openapi.json");
    try (InputStream in = AgentEndpointTest.class.getResourceAsStream("/otp/openapi.json")) {
      assertThat(served.body()).isEqualTo(in.readAllBytes());
    }
    assertThat(json(served)).containsKey("openapi");
    assertThat(served.text())
        .contains("/realms/{realm}/otp/v1/authentications", "\"accept\", \"challenge\", \"reject\"", "\"nextCode\", \"newPin\", \"newPinAgain\"")
        .contains("\"sub\"", "\"pinMin\"", "\"pinMax\"", "\"pinLetters\"", "\"429\"", "\"500\"", "\"503\"");
  }
}
