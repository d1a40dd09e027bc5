package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.Realm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference page must be valid, and its stated defaults must be the defaults. */
class ConfigurationReferenceTest {

  @TempDir Path path;

  @Test
  void theReferenceIsValidAndItsNodeIsTheDefaultNode() throws IOException {
    List<String> pages = pages();
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    Configuration minimal = folder.load();

    folder.node(pages.get(1));

    assertThat(folder.load().node()).isEqualTo(minimal.node());
  }

  @Test
  void theRealmOfTheReferenceIsWhatAMinimalRealmGives() throws IOException {
    ConfigurationFolder reference =
        ConfigurationFolder.minimal(path.resolve("a")).write("realms/reference.yaml", pages().get(2));
    java.nio.file.Files.delete(reference.path.resolve("realms/demo.yaml"));
    ConfigurationFolder minimal =
        ConfigurationFolder.minimal(path.resolve("b"))
            .write(
                "realms/reference.yaml",
                """
                idp: {publicUrl: http://idp.localhost:8080}
                sp: {publicUrl: http://app.localhost:8000}
                directory:
                  urls: [ldaps://ldap1.example.org, ldaps://ldap2.example.org]
                  base: ou=people,dc=example,dc=org
                partners: [{entityId: http://idp.localhost:8080/realms/reference}]
                clients:
                  - {clientId: reference-client, secret: quiet, redirectUris: "https://client.example.org/callback"}
                providers: [{issuer: https://login.example.org, clientId: gatehouse, secret: quiet}]
                routes: [{path: /, upstream: http://127.0.0.1:9000}]
                """);
    java.nio.file.Files.delete(minimal.path.resolve("realms/demo.yaml"));

    reference.environment.put("CLIENT_SECRET", "quiet");
    reference.environment.put("PROVIDER_SECRET", "quiet");

    Realm written = reference.realm();
    Realm assumed = minimal.realm();

    assertThat(written)
        .usingRecursiveComparison()
        .ignoringFields("revision")
        .isEqualTo(assumed);
  }

  private static List<String> pages() throws IOException {
    try (InputStream in = ConfigurationReferenceTest.class.getResourceAsStream("/configuration-reference.yaml")) {
      assertThat(in).isNotNull();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return List.of(text.split("(?m)^---", -1)).stream().map(page -> page.replaceFirst("^ #.*", "")).toList();
    }
  }
}
