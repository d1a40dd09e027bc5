package dev.gatehouse.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SampleAppTest {
  private final SampleApp app = SampleApp.start(0);
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    client.close();
    app.close();
  }

  @Test
  void whoamiSaysWhoTheHeadersSay() throws IOException, InterruptedException {
    HttpResponse<String> response =
        get("/whoami", "Remote-User", "bob", "Remote-Roles", "employee,manager", "Remote-Groups", "employee,manager");
    JsonNode answer = new JsonMapper().readTree(response.body());
    assertThat(answer.propertyNames()).containsExactly("user", "roles", "headers");
    assertThat(answer.get("user").asString()).isEqualTo("bob");
    assertThat(answer.get("roles").toString()).isEqualTo("[\"employee\",\"manager\"]");
    assertThat(answer.get("headers").get("Remote-User").asString()).isEqualTo("bob");
    assertThat(answer.get("headers").get("Remote-Groups").asString()).isEqualTo("employee,manager");
  }

  @Test
  void pagesEscapeWhatHeadersSay() throws IOException, InterruptedException {
    HttpResponse<String> response = get("/", "Remote-User", "<script>alert(1)</script>");
    assertThat(response.body()).doesNotContain("<script>").contains("&lt;script&gt;");
  }

  @Test
  void publicAndManagerPagesAndNothingElse() throws IOException, InterruptedException {
    assertThat(get("/public/", "X-Nothing", "-").body()).contains("Open to everybody");
    assertThat(get("/manager/", "Remote-User", "bob").body()).contains("role <strong>manager</strong>");
    assertThat(get("/nowhere", "Remote-User", "bob").statusCode()).isEqualTo(404);
  }

  @Test
  void theLargePageMayBeCachedAndHasThatManyBytes() throws IOException, InterruptedException {
    for (String path : new String[] {"/public/page-14k.html", "/page-14k.html"}) {
      HttpResponse<String> page = get(path, "Remote-User", "alice");
      assertThat(page.body()).hasSize(14_335).endsWith("</html>\n").contains("·");
      assertThat(page.headers().firstValue("Content-Length")).contains("14336");
      assertThat(page.headers().firstValue("Cache-Control")).contains("public, max-age=60");
    }
  }

  @Test
  void echoSaysWhatItReceivedAndIsNotCached() throws IOException, InterruptedException {
    HttpResponse<String> response = get("/echo?a=b", "X-Thing", "one");
    JsonNode answer = new JsonMapper().readTree(response.body());
    assertThat(answer.get("method").asString()).isEqualTo("GET");
    assertThat(answer.get("target").asString()).isEqualTo("/echo?a=b");
    assertThat(answer.get("headers").get("X-Thing").asString()).isEqualTo("one");
    assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
  }

  private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + app.port() + path);
    return client.send(HttpRequest.newBuilder(uri).headers(headers).build(), HttpResponse.BodyHandlers.ofString());
  }
}
