package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class AppSnippetsTest {

  private static final Map<String, String> VALUES =
      Map.of(
          "gateway", "http://127.0.0.1:8000", "app", "http://127.0.0.1:9000", "gatewayAddress", "gatehouse:8000", "appAddress", "app:9000",
          "host", "app.example.org");

  private static String rendered(String file, Map<String, String> values) {
    return AppSnippets.render(file, values).orElseThrow().text();
  }

  /** Those of the guide are tried with the real servers. */
  @ParameterizedTest
  @CsvSource({"nginx.conf, nginx", "caddy.conf, caddy"})
  void snippetsOfOtherProxiesAreThoseOfTheGuide(String file, String language) throws IOException {
    String guide = Files.readString(Path.of("../docs/how-to/forward-auth.md"));
    assertThat(guide).contains("```" + language + "\n" + rendered(file, VALUES) + "```");
  }

  @Test
  void thatOfTraefikIsThatOfTheGuide() throws IOException {
    Map<String, String> values = Map.of("host", "app.example.org", "gateway", "http://gatehouse:8000", "app", "http://app:9000");
    assertThat(Files.readString(Path.of("../docs/how-to/forward-auth.md"))).contains("```yaml\n" + rendered("traefik.yaml", values) + "```");
  }

  @Test
  void whatIsYamlCanBeRead() {
    Map<String, String> values = new HashMap<>(VALUES);
    values.putAll(
        Map.of(
            "clientId", "wiki", "secret", "s", "authentication", "client_secret_basic", "redirectUri", "https://wiki.example.org/a?b=1", "scopes",
            "openid, email", "issuer", "https://idp.example.org", "entityId", "urn:wiki", "acs", "https://wiki.example.org/acs", "metadata",
            "https://idp.example.org/m"));
    for (String file : List.of("traefik.yaml", "spring-oidc.yaml", "spring-saml.yaml")) {
      Map<String, Object> read = new Yaml().load(rendered(file, values));
      assertThat(read).as(file).hasSize(1);
    }
  }

  @Test
  void theClassForSpringSecurityCompiles(@TempDir Path folder) throws IOException {
    Path source = Files.writeString(folder.resolve("SpringSecurity.java"), rendered("SpringSecurity.java", VALUES));
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", folder.toString(), source.toString());
    assertThat(errors).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a;b", "http://a\nb", "http://a\"b", "http://a\\b", "http://a{b", "http://a}b", "http://a#b", "http://$a", "http://a`b", "http://a'b", "http://a<b"})
  void aValueThatCouldAddADirectiveMakesNoSnippet(String app) {
    Map<String, String> values = new HashMap<>(VALUES);
    values.put("app", app);
    assertThat(AppSnippets.render("nginx.conf", values)).isEmpty();
    assertThat(AppSnippets.render("caddy.conf", values)).as("does not have it").isPresent();
  }
}
