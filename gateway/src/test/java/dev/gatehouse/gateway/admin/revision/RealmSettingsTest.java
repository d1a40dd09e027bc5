package dev.gatehouse.gateway.admin.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.gateway.admin.StoredAdmin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Realms without their lists by REST, and how changes of the configuration are refused. */
class RealmSettingsTest {

  private static final String DEMO = "configuration/realms/demo";
  private static final String SECOND =
      """
      {"sp":{"publicUrl":"http://second.localhost:8000","identityProvider":"https://idp.example.org"},
       "partners":[{"entityId":"https://idp.example.org","metadata":{"url":"https://idp.example.org/metadata"}}]}""";

  private StoredAdmin stored;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    stored = new StoredAdmin(folder);
  }

  @AfterEach
  void stop() {
    http.close();
    stored.close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + stored.admin.port() + "/admin/v1/" + path))
            .header("Authorization", "Bearer " + stored.admin.key)
            .header("Content-Type", "application/json")
            .header("If-Match", "\"" + stored.realms.number() + "\"")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void settingsAreShownAndMergedAndTheRestStaysWithItsComments() throws Exception {
    HttpResponse<String> shown = send("GET", DEMO, "");
    assertThat(shown.body()).contains("\"publicUrl\":\"http://app.localhost:8000\"").doesNotContain("partners", "routes");
    assertThat(shown.headers().firstValue("ETag")).contains("\"1\"");
    HttpResponse<String> patched = send("PATCH", DEMO, "{\"brand\":{\"displayName\":\"Sales\"},\"sp\":{\"unsolicited\":true}}");
    assertThat(patched.statusCode()).as(patched::body).isEqualTo(201);
    assertThat(stored.realmFile())
        .contains("  # The first one.", "displayName: Sales", "unsolicited: true", "publicUrl: http://app.localhost:8000");
    assertThat(send("PATCH", DEMO, "{\"sp\":{\"unsolicited\":null}}").statusCode()).isEqualTo(201);
    assertThat(stored.realmFile()).doesNotContain("unsolicited");
    assertThat(send("PATCH", DEMO, "{\"sp\":{\"unsolicited\":null}}").statusCode()).isEqualTo(200);
    assertThat(send("PATCH", "configuration/realms/nobody", "{}").statusCode()).isEqualTo(404);
  }

  @Test
  void aRealmIsAddedTwiceWithOneRevisionAndRemoved() throws Exception {
    HttpResponse<String> added = send("PUT", "configuration/realms/second", SECOND);
    assertThat(added.statusCode()).as(added::body).isEqualTo(201);
    assertThat(stored.paths()).contains("realms/demo.yaml", "realms/second.yaml");
    assertThat(send("PUT", "configuration/realms/second", SECOND).statusCode()).isEqualTo(200);
    assertThat(stored.realms.number()).isEqualTo(2);
    // Settings alone leave the lists.
    HttpResponse<String> without =
        send(
            "PUT", "configuration/realms/second",
            "{\"sp\":{\"publicUrl\":\"http://second.localhost:9000\",\"identityProvider\":\"https://idp.example.org\"}}");
    assertThat(without.statusCode()).as(without::body).isEqualTo(201);
    assertThat(send("GET", "configuration/realms/second/partners", "").body()).contains("https://idp.example.org");
    HttpResponse<String> removed = send("DELETE", "configuration/realms/second", "");
    assertThat(removed.statusCode()).as(removed::body).isEqualTo(201);
    assertThat(stored.paths()).contains("realms/demo.yaml").doesNotContain("realms/second.yaml");
    assertThat(send("DELETE", "configuration/realms/second", "").statusCode()).isEqualTo(404);
  }

  @Test
  void everyProblemIsThereAtOnceAsProblemDetails() throws Exception {
    HttpResponse<String> refused = send("PATCH", DEMO, "{\"colour\":\"blue\",\"sp\":{\"publicUrl\":\"ftp://x\",\"size\":1}}");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(refused.body())
        .contains("\"status\":422", "\"title\":", "Nothing was changed. ", "more in `problems`.")
        .contains("\"key\":\"colour\"", "\"key\":\"sp.publicUrl\"", "\"key\":\"sp.size\"", "\"remedy\":");
    assertThat(stored.realms.number()).isEqualTo(1);
  }

  @Test
  void whatTheOperationDoesNotKnowIsNotLeftOutWithoutAWord() throws Exception {
    String text = StoredAdmin.REALM.replace("\n", "\\n").replace("\"", "\\\"");
    String body = "{\"files\":[{\"path\":\"realms/demo.yaml\",\"text\":\"" + text + "# x\\n\"}]}";
    HttpResponse<String> mistyped = send("POST", "revisions?dryrun=true", body);
    assertThat(mistyped.statusCode()).isEqualTo(400);
    assertThat(mistyped.body()).contains("`dryrun` is no parameter of this operation. Known here: dryRun.");
    assertThat(send("POST", "revisions?dryRun=false&dryRun=true", body).body()).contains("The parameter `dryRun` is there twice.");
    HttpResponse<String> twice = send("PATCH", DEMO, "{\"brand\":{\"displayName\":\"A\"},\"brand\":{\"displayName\":\"B\"}}");
    assertThat(twice.statusCode()).isEqualTo(400);
    assertThat(twice.body()).contains("`brand` is there twice.");
    assertThat(stored.realms.number()).isEqualTo(1);
  }

  @Test
  void longListsComeInPages() throws Exception {
    for (String name : new String[] {"c", "a", "b"}) {
      assertThat(send("PUT", "secrets/" + name, "{\"text\":\"value\"}").statusCode()).isEqualTo(200);
    }
    assertThat(send("GET", "secrets?limit=2", "").body()).contains("\"a\"", "\"b\"", "\"next\":\"b\"").doesNotContain("\"c\"");
    assertThat(send("GET", "secrets?limit=2&after=b", "").body()).contains("\"c\"").doesNotContain("\"a\"", "\"next\"");
    assertThat(send("GET", "realms?limit=1&after=demo", "").body()).isEqualTo("{\"realms\":[]}");
    assertThat(send("GET", "realms?limit=0", "").statusCode()).isEqualTo(400);
  }

  /** Otherwise the password of an account that everybody shares stood in each revision. */
  @Test
  void aFieldOfALoginFormIsANamedSecret() throws Exception {
    String route =
        """
        {"name":"old","path":"/old/","upstream":"http://127.0.0.1:9000",
         "formFill":{"form":{"path":"/old/login"},"fields":{"user":"user","secret":{"secret":"shop.pin"},"tenant":"{secret: x}"}}}""";
    assertThat(send("PUT", "secrets/shop.pin", "{\"text\":\"4711-4712\"}").statusCode()).isEqualTo(200);
    HttpResponse<String> refused = send("PUT", "configuration/realms/demo/routes/entry?id=old", route);
    assertThat(refused.statusCode()).as(refused::body).isEqualTo(422);
    assertThat(refused.body()).contains("routes[1].formFill.fields.tenant").doesNotContain("fields.secret");
    String right = route.replace("\"{secret: x}\"", "\"literal:north\"");
    HttpResponse<String> put = send("PUT", "configuration/realms/demo/routes/entry?id=old", right);
    assertThat(put.statusCode()).as(put::body).isEqualTo(201);
    assertThat(put.body()).contains("{secret: shop.pin}").doesNotContain("4711");
    assertThat(send("GET", "configuration/realms/demo/routes/entry?id=old", "").body()).contains("shop.pin").doesNotContain("4711");
    assertThat(stored.realms.inUse().find("demo").orElseThrow().gateway().routes().get(1).identity().formFill().orElseThrow().fields())
        .containsEntry("secret", new Source.Literal(new Secret("4711-4712")));
  }
}
