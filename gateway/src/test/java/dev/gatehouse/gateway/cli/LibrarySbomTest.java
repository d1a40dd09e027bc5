package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LibrarySbomTest {

  private static final String LISTED =
      """
      {"bomFormat": "CycloneDX", "serialNumber": "urn:uuid:1", "metadata": {"component": {"type": "library", "name": "gateway",
        "bom-ref": "us", "externalReferences": [{"type": "vcs", "url": "https://example.org/parent"}]}},
       "components": [
        {"bom-ref": "starter", "name": "starter", "version": "1", "purl": "pkg:maven/org.example/starter@1?type=jar"},
        {"bom-ref": "inner-starter", "name": "inner-starter", "version": "1", "purl": "pkg:maven/org.example/inner-starter@1?type=jar"},
        {"bom-ref": "native", "name": "native", "version": "2.0", "hashes": [{"alg": "MD5", "content": "00"}],
         "purl": "pkg:maven/org.example/native@2.0?classifier=linux-x86_64&type=jar"},
        {"bom-ref": "ours", "group": "dev.gatehouse", "name": "common", "version": "1", "purl": "pkg:maven/dev.gatehouse/common@1?type=jar",
         "externalReferences": [{"type": "vcs", "url": "https://example.org/parent"}]}],
       "dependencies": [{"ref": "us", "dependsOn": ["starter", "ours"]}, {"ref": "starter", "dependsOn": ["inner-starter"]},
        {"ref": "inner-starter", "dependsOn": ["native"]}, {"ref": "native"}, {"ref": "ours", "dependsOn": ["starter"]}]}
      """;

  @TempDir Path folder;

  @Test
  void listsExactlyTheFilesWithTheirDigests() throws Exception {
    String digest = jar("native-2.0-linux-x86_64.jar");
    jar("common-1.jar");
    jar("spring-boot-jarmode-tools-4.1.1.jar");
    JsonNode bom = JsonMapper.shared().readTree(LibrarySbom.of(LISTED, folder, Instant.EPOCH));
    assertThat(bom.get("components").valueStream().map(one -> one.get("name").asString()))
        .containsExactly("native", "common", "spring-boot-jarmode-tools");
    assertThat(bom.at("/components/0/hashes/0").toString()).isEqualTo("{\"alg\":\"SHA-256\",\"content\":\"" + digest + "\"}");
    assertThat(bom.at("/components/2/purl").asString()).isEqualTo("pkg:maven/org.springframework.boot/spring-boot-jarmode-tools@4.1.1?type=jar");
    assertThat(bom.at("/metadata/component/name").asString()).isEqualTo("gatehouse");
    assertThat(bom.toString()).as("what Spring Boot's POM says of itself").doesNotContain("externalReferences");
    assertThat(bom.has("serialNumber")).isFalse();
    assertThat(bom.at("/metadata/timestamp").asString()).isEqualTo("1970-01-01T00:00:00Z");
  }

  @Test
  void whatDependedOnAnEmptyStarterDependsOnItsLibraries() throws Exception {
    jar("native-2.0-linux-x86_64.jar");
    jar("common-1.jar");
    JsonNode bom = JsonMapper.shared().readTree(LibrarySbom.of(LISTED, folder, Instant.EPOCH));
    assertThat(bom.get("dependencies").valueStream().map(JsonNode::toString))
        .containsExactly(
            "{\"ref\":\"us\",\"dependsOn\":[\"native\",\"ours\"]}", "{\"ref\":\"native\",\"dependsOn\":[]}",
            "{\"ref\":\"ours\",\"dependsOn\":[\"native\"]}");
  }

  @Test
  void aLibraryThatIsNotListedIsAnError() throws Exception {
    jar("unknown-3.jar");
    assertThatThrownBy(() -> LibrarySbom.of(LISTED, folder, Instant.EPOCH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The library unknown-3.jar is packaged, but CycloneDX did not list it: is it a dependency of the module gateway?");
  }

  @Test
  void theSystemsListHasDebiansPackagesAndJava() {
    Properties java = new Properties();
    java.setProperty("JAVA_RUNTIME_VERSION", "\"25.0.3+9-LTS\"");
    java.setProperty("IMPLEMENTOR", "\"Eclipse Adoptium\"");
    JsonNode bom = JsonMapper.shared().readTree(SystemSbom.of(List.of("libstdc++6\t1:12.2.0-14+deb12u1\tamd64\tgcc-12"), "bookworm", java, Instant.EPOCH));
    assertThat(bom.get("components").valueStream().map(one -> one.get("purl").asString()))
        .containsExactly(
            "pkg:generic/debian@bookworm", "pkg:generic/openjdk@25.0.3%2B9-LTS",
            "pkg:deb/debian/libstdc%2B%2B6@1%3A12.2.0-14%2Bdeb12u1?arch=amd64&distro=bookworm&upstream=gcc-12");
    assertThat(bom.at("/components/1/supplier/name").asString()).isEqualTo("Eclipse Adoptium");
  }

  private String jar(String name) throws Exception {
    byte[] content = name.getBytes(StandardCharsets.UTF_8);
    Files.write(folder.resolve(name), content);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }
}
