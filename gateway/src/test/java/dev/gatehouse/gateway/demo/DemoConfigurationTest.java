package dev.gatehouse.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.ConfigurationSchema;
import dev.gatehouse.common.realm.file.SchemaViolations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoConfigurationTest {

  @TempDir Path folder;

  @Test
  void itIsValidAndKeepsTheContract() throws ConfigurationInvalid {
    Path config = folder.resolve("config");
    DemoConfiguration demo = new DemoConfiguration(config);
    demo.write(DemoPorts.contract());
    demo.writeSchemas();
    DemoCertificate.ensure(folder.resolve("data/tls"), Instant.now(), new SecureRandom());
    Configuration configuration = new ConfigurationFiles(config, Map.of()).load();
    assertThat(SchemaViolations.of(config)).isEmpty();
    assertThat(config.resolve("gatehouse.yaml")).content().startsWith("# yaml-language-server: $schema=gatehouse.schema.json\n");
    assertThat(config.resolve("gatehouse.schema.json")).content().isEqualTo(ConfigurationSchema.GATEHOUSE.json());
    assertThat(config.resolve("realms/demo.yaml")).content().startsWith("# yaml-language-server: $schema=../realm.schema.json\n");
    assertThat(config.resolve("realm.schema.json")).content().isEqualTo(ConfigurationSchema.REALM.json());
    assertThat(configuration.node().listeners().idp()).extracting(l -> l.address().getPort()).containsExactly(8080, 8444);
    assertThat(configuration.node().listeners().gateway())
        .extracting(l -> l.address().getPort())
        .containsExactly(8000, 8443);
    assertThat(configuration.node().listeners().admin().address().getPort()).isEqualTo(8081);
    assertThat(configuration.node().listeners().metrics()).map(l -> l.address().getPort()).contains(8082);
    Realm realm = configuration.realms().getFirst();
    assertThat(realm.idp().orElseThrow().entityId("demo")).isEqualTo("http://idp.localhost:8080/realms/demo");
    assertThat(realm.sp().orElseThrow().entityId()).isEqualTo("http://app.localhost:8000/.gatehouse/saml/metadata");
    assertThat(realm.sp().orElseThrow().unsolicited()).isTrue();
  }

  @Test
  void aChangedFileIsKeptAndTheOtherIsWrittenAnew() throws IOException {
    DemoConfiguration configuration = new DemoConfiguration(folder);
    assertThat(configuration.write(DemoPorts.contract())).isEmpty();
    Path realm = folder.resolve("realms/demo.yaml");
    Files.writeString(realm, Files.readString(realm) + "# mine\n");
    assertThat(configuration.write(DemoPorts.from(20000))).containsExactly(realm);
    assertThat(realm).content().endsWith("# mine\n");
    assertThat(folder.resolve("gatehouse.yaml")).content().contains("port: 20000");
  }

  @Test
  void theCertificateIsKeptUntilItIsNearItsEnd() throws IOException {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    DemoCertificate.ensure(folder, now, new SecureRandom());
    String first = Files.readString(folder.resolve("demo.crt"));
    DemoCertificate.ensure(folder, now.plusSeconds(86_400L * 300), new SecureRandom());
    assertThat(folder.resolve("demo.crt")).hasContent(first.strip());
    DemoCertificate.ensure(folder, now.plusSeconds(86_400L * 380), new SecureRandom());
    assertThat(Files.readString(folder.resolve("demo.crt"))).isNotEqualTo(first);
  }
}
