package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LocalAccount;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a help desk sees of a person of the directory, and how it lets somebody in again, over a running node. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PeopleByRestTest {

  private static final InetAddress STRANGER = InetAddress.ofLiteral("192.0.2.7");

  private final HttpClient http = HttpClient.newHttpClient();
  private DirectoryNode running;
  private String key;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    running = DirectoryNode.start(folder);
    AdministratorKeys keys = new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom());
    key = ((Creation.Created) keys.create("desk", List.of(AdministratorGrant.parse("helpdesk@demo")), Optional.empty())).secret();
  }

  @AfterAll
  void stop() throws Exception {
    running.close();
    http.close();
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.node().ports().admin() + "/admin/v1/realms/demo/" + path))
            .header("Authorization", "Bearer " + key)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode person(String name) throws Exception {
    HttpResponse<String> found = send("GET", "people?person=" + name);
    assertThat(found.statusCode()).as(found::body).isEqualTo(200);
    return JsonMapper.shared().readTree(found.body());
  }

  private GuessThrottle throttle() {
    return running.node().get(GuessThrottle.class);
  }

  private ThrottleConfig limits() {
    return running.node().get(RealmsInUse.class).find("demo").orElseThrow().idp().orElseThrow().throttle();
  }

  @Test
  void aPersonWhoIsHeldBackIsLetInAgain() throws Exception {
    JsonNode before = person("alice");
    String id = before.get("person").asString();
    assertThat(id).isNotEqualTo("alice");
    assertThat(before.get("inDirectory").asBoolean()).isTrue();
    assertThat(before.get("roles").toString()).contains("Employees");
    assertThat(before.get("wrongTries").get("locked").asBoolean()).isFalse();

    while (throttle().admit("demo", "alice", STRANGER, limits()) instanceof Admission.Admitted admitted) {
      admitted.failed();
    }
    Tokens tokens = running.node().get(Tokens.class);
    while (tokens.countWrong("demo", new PersonId(id), 10, Optional.empty()) < 10) {}
    JsonNode held = person("alice").get("wrongTries");
    assertThat(held.get("passwords").asInt()).isEqualTo(limits().perAccount());
    assertThat(held.get("refusedForSeconds").asLong()).isPositive();
    assertThat(held.get("passcodes").asInt()).isEqualTo(10);
    assertThat(held.get("locked").asBoolean()).isTrue();

    HttpResponse<String> unlocked = send("POST", "people/unlock?person=alice");
    assertThat(unlocked.statusCode()).as(unlocked::body).isEqualTo(200);
    assertThat(unlocked.body()).isEqualTo("{\"forgotten\":" + (limits().perAccount() + 10) + "}");
    JsonNode after = person(id).get("wrongTries");
    assertThat(after.get("passwords").asInt()).isZero();
    assertThat(after.get("passcodes").asInt()).isZero();
    assertThat(after.get("locked").asBoolean()).isFalse();
    assertThat(after.has("refusedForSeconds")).isFalse();
    assertThat(throttle().admit("demo", "alice", InetAddress.ofLiteral("192.0.2.8"), limits())).isInstanceOf(Admission.Admitted.class);
    assertThat(running.audited())
        .filteredOn(line -> line.contains("person.unlock"))
        .anySatisfy(line -> assertThat(line).contains("\"codes\":\"0\"", "\"passcodes\":\"10\""));
  }

  @Test
  void consentsAreShownAndEnded() throws Exception {
    String id = person("bob").get("person").asString();
    Consents consents = running.node().get(Consents.class);
    consents.give("demo", "https://sp.example.org", new PersonId(id), Set.of("urn:oid:0.9.2342.19200300.100.1.3"));
    assertThat(person("bob").get("consents").toString()).contains("https://sp.example.org", "urn:oid:0.9.2342.19200300.100.1.3");
    assertThat(send("DELETE", "people/consents?person=bob&partner=https://sp.example.org").statusCode()).isEqualTo(204);
    assertThat(send("DELETE", "people/consents?person=bob&partner=https://sp.example.org").statusCode()).isEqualTo(404);
    assertThat(consents.ofPerson("demo", new PersonId(id))).isEmpty();
    assertThat(running.audited()).anyMatch(line -> line.contains("consent.end")).anyMatch(line -> line.contains("ConsentChanged"));
  }

  @Test
  void rolesAreReadAgainInOpenSessions() throws Exception {
    PersonId alice = new PersonId(person("alice").get("person").asString());
    AppSessions sessions = running.node().get(AppSessions.class);
    String provider = running.node().get(RealmsInUse.class).find("demo").orElseThrow().sp().orElseThrow().entityId();
    SessionToken token = SessionToken.create(new SecureRandom());
    Instant now = Instant.now();
    sessions.open(
        new AppSession(
            token.id(), "demo",
            new Lifetime(now, now.plusSeconds(600), now.plusSeconds(600)),
            new LocalAccount(alice, "alice", List.of("director"), List.of(), Map.of()),
            new AppSession.Login(provider, NameId.of("alice", NameId.UNSPECIFIED), Optional.empty(), Optional.empty(), now)));

    HttpResponse<String> reread = send("POST", "people/reread?person=alice");
    assertThat(reread.statusCode()).as(reread::body).isEqualTo(200);
    assertThat(reread.body()).isEqualTo("{\"changed\":1,\"unchanged\":0,\"ended\":0}");
    assertThat(sessions.load("demo", token))
        .hasValueSatisfying(session -> assertThat(session.account().roles()).contains("Employees").doesNotContain("director"));
    assertThat(send("POST", "people/reread?person=alice").body()).isEqualTo("{\"changed\":0,\"unchanged\":1,\"ended\":0}");
    assertThat(send("POST", "people/reread?person=bob").body()).isEqualTo("{\"changed\":0,\"unchanged\":0,\"ended\":0}");
    assertThat(send("POST", "people/reread?person=nobody").statusCode()).isEqualTo(404);
    assertThat(running.audited()).anyMatch(line -> line.contains("person.reread") && line.contains(alice.value()));
  }

  @Test
  void nobodyIsNotFound() throws Exception {
    assertThat(send("GET", "people?person=nobody").statusCode()).isEqualTo(404);
    assertThat(send("GET", "people?person=*").statusCode()).isEqualTo(404);
    assertThat(send("GET", "people?person=").statusCode()).isEqualTo(400);
  }
}
