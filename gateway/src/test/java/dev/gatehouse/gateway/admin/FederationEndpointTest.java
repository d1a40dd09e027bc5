package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.realm.TestRealms;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FederationEndpointTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String BASE = "/admin/v1/realms/demo/federation";
  private static final String PARTNER =
      "partner=" + URLEncoder.encode(TestRealms.IDP_ENTITY, StandardCharsets.UTF_8);

  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path data) {
    admin = new TestAdmin(data);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    admin.audit.breakDown(false);
    admin.links.links.clear();
  }

  private static JsonNode json(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return JSON.readTree(response.body());
  }

  private JsonNode bulk(String lines) throws IOException, InterruptedException {
    return json(admin.post(BASE + "/links/bulk?" + PARTNER, "{\"lines\":" + lines + "}"), 200);
  }

  @Test
  void federatesManyAndSaysWhatBecameOfEach() throws IOException, InterruptedException {
    JsonNode outcomes =
        bulk("[{\"local\":\"alice\",\"nameId\":\"n1\"},{\"local\":\"nobody\",\"nameId\":\"n2\"}]").get("outcomes");
    assertThat(outcomes.get(0).get("nameId").asString()).isEqualTo("n1");
    assertThat(outcomes.get(0).get("isNew").asBoolean()).isTrue();
    assertThat(outcomes.get(1).get("rejected").asString()).isEqualTo("LOCAL_NAME_UNKNOWN");
    assertThat(admin.audit.events(AuditEvent.Administered.class))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo("federation.bulk");
              assertThat(event.administrator()).isEqualTo("ops");
              assertThat(event.details()).containsEntry("lines", "2").containsEntry("kind", "links");
            });
  }

  @Test
  void listsByPartnerAndByPerson() throws IOException, InterruptedException {
    bulk("[{\"local\":\"alice\",\"nameId\":\"n1\"},{\"local\":\"bob\",\"nameId\":\"n2\"}]");
    JsonNode first = json(admin.authorized("GET", BASE + "/links?limit=1&" + PARTNER), 200);
    assertThat(first.get("federations").get(0).get("person").asString()).isEqualTo("alice");
    assertThat(first.get("next").asString()).isEqualTo("n1");
    JsonNode second = json(admin.authorized("GET", BASE + "/links?limit=1&after=n1&" + PARTNER), 200);
    assertThat(second.get("federations").get(0).get("person").asString()).isEqualTo("bob");
    assertThat(second.has("next")).isFalse();
    JsonNode bobs = json(admin.authorized("GET", BASE + "?person=bob"), 200);
    assertThat(bobs.get("federations").size()).isEqualTo(1);
  }

  @Test
  void endsAndRenewsAndSaysWhetherThePartnerWasTold() throws IOException, InterruptedException {
    bulk("[{\"local\":\"alice\",\"nameId\":\"n1\"}]");
    JsonNode renewed = json(admin.post(BASE + "/links/renew?nameId=n1&calledHere=al&" + PARTNER, ""), 200);
    assertThat(renewed.get("delivered").asBoolean()).isTrue();
    JsonNode ended = json(admin.authorized("DELETE", BASE + "/links?nameId=n1&" + PARTNER), 200);
    assertThat(ended.get("delivered").asBoolean()).isFalse();
    assertThat(ended.get("problem").asString()).isEqualTo("it does not answer");
    assertThat(admin.links.links).isEmpty();
    json(admin.authorized("DELETE", BASE + "/links?nameId=n1&" + PARTNER), 404);
    assertThat(admin.audit.events(AuditEvent.Administered.class))
        .extracting(AuditEvent.Administered::action)
        .containsExactly("federation.bulk", "federation.renew", "federation.end", "federation.end");
  }

  @Test
  void nothingHappensThatCannotBeAudited() throws IOException, InterruptedException {
    bulk("[{\"local\":\"alice\",\"nameId\":\"n1\"}]");
    admin.audit.breakDown(true);
    json(admin.authorized("DELETE", BASE + "/links?nameId=n1&" + PARTNER), 503);
    assertThat(admin.links.links).hasSize(1);
  }

  @Test
  void refusesWhatCannotBe() throws IOException, InterruptedException {
    json(admin.authorized("GET", BASE + "/names?" + PARTNER), 404);
    json(admin.authorized("GET", BASE + "/links?limit=501&" + PARTNER), 400);
    json(admin.post(BASE + "/links/bulk?partner=https://nobody.example", "{\"lines\":[]}"), 404);
    String path = BASE + "/links/bulk?" + PARTNER;
    json(admin.post(path, "{}"), 400);
    json(admin.post(path, "{\"lines\":[null]}"), 400);
    json(admin.post(path, "{\"lines\":[{\"nameId\":\"n1\"}]}"), 400);
    json(admin.post(path, "not json"), 400);
    String line = "{\"local\":\"alice\",\"nameId\":\"n1\"}";
    json(admin.post(path, "{\"lines\":[" + String.join(",", Collections.nCopies(1001, line)) + "]}"), 400);
    assertThat(admin.links.links).isEmpty();
  }
}
