package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springdoc.webmvc.api.OpenApiWebMvcResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document in the build is the one that springdoc makes of the endpoints. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminDescriptionTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Path DOCUMENT = Path.of("src/main/resources/admin/openapi.json");

  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path data) {
    admin = TestAdmin.with(data, AdminDescription.class);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  /** After a change of the interface on purpose, run it with -Dgolden=write and read the difference. */
  @Test
  void theDocumentIsThatOfTheEndpoints() throws IOException {
    String path = "/admin/generated";
    JsonNode document = JSON.readTree(admin.part(OpenApiWebMvcResource.class).openapiJson(request(path), path, Locale.ENGLISH));
    if ("write".equals(System.getProperty("golden"))) {
      Files.writeString(DOCUMENT, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n");
    }
    assertThat(document).isEqualTo(JSON.readTree(Files.readString(DOCUMENT)));
  }

  private static HttpServletRequest request(String path) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            HttpServletRequest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) -> method.getName().equals("getRequestURL") ? new StringBuffer("http://localhost" + path) : null);
  }

  @Test
  void itIsSentToEverybody() throws IOException, InterruptedException {
    HttpResponse<String> sent = admin.send("GET", "/admin/v1/openapi.json");
    assertThat(sent.statusCode()).isEqualTo(200);
    assertThat(sent.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(sent.body()).isEqualTo(Files.readString(DOCUMENT));
    assertThat(admin.authorized("POST", "/admin/v1/openapi.json").statusCode()).isEqualTo(405);
  }

  /** springdoc's own endpoint stands for one that somebody forgot to give a role. */
  @Test
  void anOperationWithoutARoleIsRefused() throws IOException, InterruptedException {
    HttpResponse<String> refused = admin.authorized("GET", "/admin/generated");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("No role permits this operation");
  }
}
