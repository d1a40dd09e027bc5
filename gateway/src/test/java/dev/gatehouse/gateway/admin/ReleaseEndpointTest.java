package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.ReleaseView;
import dev.gatehouse.common.admin.ReleaseView.ReleasedValue;
import dev.gatehouse.common.admin.ReleaseView.Withheld;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.key.AdministratorGrant;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code /admin/v1/realms/{realm}/releases}: who may ask, and what is recorded. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReleaseEndpointTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String TO_APP = "/admin/v1/realms/demo/releases/service-provider?partner=https://app.example&person=";
  private static final String TO_CLIENT = "/admin/v1/realms/demo/releases/client?client=web&person=";

  /** Releases the mail address of everybody to everybody. */
  private static final class Releases implements AdminResource.AttributeReleases {
    @Override
    public Optional<ReleaseView> toServiceProvider(String realm, String person, String entityId, Optional<Integer> service) {
      if (service.isPresent()) {
        throw new IllegalArgumentException("no service of the index " + service.get());
      }
      return entityId.equals("https://app.example") ? Optional.of(view(person, entityId)) : Optional.empty();
    }

    @Override
    public Optional<ReleaseView> toClient(
        String realm, String person, String clientId, Optional<String> scope, Optional<String> claims) {
      return Optional.of(view(person, clientId + scope.map(" "::concat).orElse("")));
    }

    private static ReleaseView view(String person, String partner) {
      Optional<String> mail = Optional.of("mail");
      return new ReleaseView(
          partner, person, person, new ReleaseView.ReleaseSubject("public", Optional.empty()),
          new ReleaseView.ReleaseConsent("not-needed", Optional.empty(), List.of()),
          List.of(
              ReleasedValue.released("mail", "a@example.com", mail, List.of("release"), List.of("assertion")),
              ReleasedValue.withheld("sn", Optional.empty(), Optional.of("sn"), List.of(), Withheld.NOT_CONFIGURED)),
          List.of(), List.of());
    }
  }

  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path data) {
    admin = new TestAdmin(data, beans -> beans.registerBean(AdminResource.AttributeReleases.class, Releases::new));
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    admin.audit.breakDown(false);
  }

  private JsonNode json(String path, int status) throws IOException, InterruptedException {
    HttpResponse<String> response = admin.authorized("GET", path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return JSON.readTree(response.body());
  }

  @Test
  void valuesAreShownWithTheirReasonsAndTheQuestionIsRecorded() throws IOException, InterruptedException {
    JsonNode values = json(TO_APP + "alice", 200).get("values");
    assertThat(values.get(0).toString()).contains("\"value\":\"a@example.com\"", "\"places\":[\"assertion\"]").doesNotContain("withheld");
    assertThat(values.get(1).get("withheld").asString()).isEqualTo("not-configured");
    assertThat(json(TO_CLIENT + "alice&scope=openid", 200).get("partner").asString()).isEqualTo("web openid");
    assertThat(admin.audit.events(Administered.class))
        .extracting(event -> event.action() + " " + event.details().get("person") + " " + event.details().get("partner"))
        .containsExactly("release.show alice https://app.example", "release.show alice web");
  }

  @Test
  void whatCannotBeAuditedIsNotShown() throws IOException, InterruptedException {
    admin.audit.breakDown(true);
    assertThat(json(TO_APP + "alice", 503).toString()).doesNotContain("a@example.com");
  }

  @Test
  void nobodySeesPeopleWithMorePower() throws IOException, InterruptedException {
    Person boss = admin.logins.add("boss");
    admin.grant(boss, "admin@demo");
    String key = admin.key("desk", List.of(AdministratorGrant.parse("helpdesk@demo")), Optional.empty());
    String[] desk = {"Authorization", "Bearer " + key};
    for (String name : List.of("boss", "boss-id", "BOSS")) {
      HttpResponse<String> refused = admin.send("GET", TO_CLIENT + name, desk);
      assertThat(refused.statusCode()).as(name + refused.body()).isEqualTo(403);
      assertThat(admin.send("GET", TO_APP + name, desk).statusCode()).isEqualTo(403);
    }
    assertThat(admin.send("GET", TO_CLIENT + "alice", desk).statusCode()).isEqualTo(200);
    assertThat(json(TO_CLIENT + "boss", 200).get("person").asString()).isEqualTo("boss");
  }

  @Test
  void whatIsWrongIsNamed() throws IOException, InterruptedException {
    assertThat(json(TO_APP + "alice&attributeService=7", 400).get("detail").asString()).contains("index 7");
    json(TO_APP + "alice&attributeService=x", 400);
    json(TO_APP + "+", 400);
    json(TO_APP, 400);
    json("/admin/v1/realms/demo/releases/client?person=alice", 400);
    json("/admin/v1/realms/none/releases/client?person=alice&client=web", 404);
    json("/admin/v1/realms/demo/releases/service-provider?person=alice&partner=https://nobody.example", 404);
  }
}
