package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource.SessionView;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.realm.TestRealms;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code /admin/v1/realms/{realm}/person-data}: export and erasure. */
final class PersonDataEndpointTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String ALICE = "/admin/v1/realms/demo/person-data?person=alice";

  @TempDir Path data;
  private TestAdmin admin;

  @BeforeEach
  void start() {
    admin = new TestAdmin(data);
    admin.idpSessions.add("i1", "alice");
    admin.appSessions.add("a1", "alice");
    admin.appSessions.add("a2", "bob");
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private JsonNode json(String method, String path, int status) throws IOException, InterruptedException {
    HttpResponse<String> response = admin.authorized(method, path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return JSON.readTree(response.body());
  }

  @Test
  void everythingIsExported() throws IOException, InterruptedException {
    JsonNode exported = json("GET", ALICE, 200);
    assertThat(exported.get("person").asString()).isEqualTo("alice");
    assertThat(exported.get("sessions").size()).isEqualTo(2);
    assertThat(exported.get("secondFactor").get("apps").get(0).get("label").asString()).isEqualTo("Phone");
    assertThat(exported.has("directory")).as("nobody is in this directory").isFalse();
    assertThat(admin.audit.events(AuditEvent.PersonDataExported.class).getFirst().by()).isEqualTo("ops");
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action).containsExactly("person-data.export");
  }

  @Test
  void everythingIsErasedAndOnlyOfThatPerson() throws IOException, InterruptedException {
    JsonNode erased = json("DELETE", ALICE, 200);
    assertThat(erased.get("removed").get("sessions").asInt()).isEqualTo(2);
    assertThat(admin.idpSessions.sessions).isEmpty();
    assertThat(admin.appSessions.sessions).extracting(session -> session.name()).containsExactly("bob");
    assertThat(admin.audit.events(Administered.class).getFirst().details())
        .containsEntry("person", "alice")
        .containsEntry("sessions", "2")
        .containsEntry("secondFactors", "1");
    assertThat(admin.audit.events(AuditEvent.PersonDataErased.class).getFirst().removed())
        .isEqualTo(Map.of("sessions", 2, "secondFactors", 1));
    assertThat(json("DELETE", ALICE, 200).get("removed").has("sessions")).as("may be repeated").isFalse();
  }

  /** A partner calls somebody alice, too: that is another person. */
  @Test
  void whoeverAPartnerCallsByThatNameIsSomebodyElse() throws IOException, InterruptedException {
    List<SessionView> sessions = admin.appSessions.sessions;
    sessions.add(session("a3", "https://partner.example!alice", "https://partner.example"));
    sessions.add(session("a4", TestRealms.IDP_ENTITY + "!alice", TestRealms.IDP_ENTITY));
    sessions.add(session("a5", TestRealms.SP_ENTITY + "!alice", TestRealms.SP_ENTITY));
    assertThat(json("GET", ALICE, 200).get("sessions"))
        .extracting(one -> one.get("id").asString())
        .containsExactlyInAnyOrder("i1", "a1", "a4", "a5");
    assertThat(json("DELETE", ALICE, 200).get("removed").get("sessions").asInt()).isEqualTo(4);
    assertThat(sessions).extracting(SessionView::id).containsExactly("a2", "a3");
  }

  private static SessionView session(String id, String person, String provider) {
    return new SessionView("app", id, "demo", person, "alice", TestTime.START, TestTime.START.plusSeconds(1800), List.of(provider));
  }

  @Test
  void whatCannotBeAuditedDoesNotHappen() throws IOException, InterruptedException {
    admin.audit.breakDown(true);
    json("DELETE", ALICE, 503);
    json("GET", ALICE, 503);
    assertThat(admin.appSessions.sessions).hasSize(2);
  }

  @Test
  void aPersonAndARealmAreNamed() throws IOException, InterruptedException {
    json("DELETE", "/admin/v1/realms/demo/person-data", 400);
    json("DELETE", "/admin/v1/realms/demo/person-data?person=+", 400);
    json("DELETE", "/admin/v1/realms/demo/person-data?person=" + "x".repeat(1501), 400);
    json("GET", "/admin/v1/realms/none/person-data?person=alice", 404);
    assertThat(admin.appSessions.sessions).hasSize(2);
  }
}
