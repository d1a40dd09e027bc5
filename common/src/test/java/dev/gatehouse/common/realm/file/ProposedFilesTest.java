package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.inuse.FileRealms;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.assertj.core.api.Assertions.assertThat;


/** Proposed files are checked completely, change nothing, and read nothing of the disk that is not in use. */
class ProposedFilesTest {

  private static final String OTHER =
      """
      idp: {publicUrl: "http://other.localhost:8080"}
      directory: {urls: "ldap://localhost:10389", base: "dc=example,dc=org"}
      """;

  @TempDir Path path;
  private FileRealms realms;

  @BeforeEach
  void open() throws ConfigurationInvalid {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.write("pages/logo.svg", "<svg/>");
    folder.write("secret.txt", "swordfish");
    folder.demo(ConfigurationFolder.MINIMAL + "brand: {logo: ../pages/logo.svg}\n");
    realms = FileRealms.open(folder.files(), new RecordingAuditLog(), InstantSource.system());
  }

  @AfterEach
  void close() {
    realms.close();
  }

  private ProposedFiles.Plan plan(boolean complete, Map<String, String> files) {
    Map<String, byte[]> bytes = new java.util.TreeMap<>();
    files.forEach((name, text) -> bytes.put(name, text.getBytes(StandardCharsets.UTF_8)));
    return realms.inUse().plan(bytes, complete);
  }

  @Test
  void aSingleFileIsCheckedWithTheOthersInUse() {
    ProposedFiles.Plan plan = plan(false, Map.of("realms/other.yaml", OTHER));
    assertThat(plan.problems()).isEmpty();
    assertThat(plan.tree().files().keySet()).containsExactly("pages/logo.svg", "realms/demo.yaml", "realms/other.yaml");
    assertThat(realms.inUse().all()).hasSize(1);
  }

  @Test
  void aCompleteProposalRemovesWhatItDoesNotName() {
    ProposedFiles.Plan plan = plan(true, Map.of("realms/other.yaml", OTHER));
    assertThat(plan.problems()).isEmpty();
    assertThat(plan.tree().files().keySet()).containsExactly("realms/other.yaml");
    assertThat(plan(true, Map.of()).problems()).extracting(Problem::message).containsExactly("contains no realm");
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    String wrong = OTHER.replace("urls: \"ldap://localhost:10389\", ", "urls: nowhere, poolSze: 3, ") + "routes: [{path: x}]\n";
    assertThat(plan(false, Map.of("realms/other.yaml", wrong)).problems()).extracting(Problem::key)
        .contains("directory.poolSze", "directory.urls", "routes[0].path");
  }

  @Test
  void proposedFilesNameEachOther() {
    ProposedFiles.Plan plan = plan(false, Map.of("realms/other.yaml", OTHER + "brand: {logo: ../pages/new.svg}\n", "pages/new.svg", "<svg/>"));
    assertThat(plan.problems()).isEmpty();
    assertThat(plan.tree().files()).containsKey("pages/new.svg");
  }

  @Test
  void filesOnDiskThatNobodyUsesAreNotRead() throws IOException {
    Files.writeString(path.resolve("pages/unused.svg"), "<svg/>");
    ProposedFiles.Plan used = plan(false, Map.of("realms/other.yaml", OTHER + "brand: {logo: ../pages/logo.svg}\n"));
    assertThat(used.problems()).isEmpty();
    ProposedFiles.Plan unused = plan(false, Map.of("realms/other.yaml", OTHER + "brand: {logo: ../pages/unused.svg}\n"));
    assertThat(unused.problems()).extracting(Problem::key).containsExactly("brand.logo");
    String partner = "partners: [{entityId: \"urn:a\", metadata: ../secret.txt}]\n";
    assertThat(plan(false, Map.of("realms/other.yaml", OTHER + partner)).problems()).extracting(Problem::key).contains("partners[0].metadata");
    String metadata = "partners: [{entityId: \"urn:a\", metadata: ../a.xml}]\n";
    assertThat(plan(false, Map.of("realms/other.yaml", OTHER + metadata, "a.xml", "<a/>")).problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/passwd", "../x", "realms/../x", "realms//demo.yaml", "gatehouse.yaml", "", "a\0b"})
  void pathsOutsideAreRefused(String name) {
    ProposedFiles.Plan plan = plan(false, Map.of(name, "x"));
    assertThat(plan.problems()).extracting(Problem::message).containsExactly("a path is not that of a file of realms");
  }

  @Test
  void theTextInPlaceOfASecretIsNoSecret() {
    String exported = OTHER.replace("directory: {", "directory: {bindDn: \"cn=x\", bindPassword: \"***\", ");
    assertThat(plan(false, Map.of("realms/other.yaml", exported)).problems()).extracting(Problem::key).containsExactly("directory.bindPassword");
  }

  @Test
  void theFilesOfOneRealmAreFound() {
    FileTree tree = FileTree.of(path, new ConfigurationFiles(path, Map.of()).named("demo.yaml"::equals));
    assertThat(tree.files().keySet()).containsExactly("pages/logo.svg", "realms/demo.yaml");
    assertThat(FileTree.of(path, new ConfigurationFiles(path, Map.of()).named("none.yaml"::equals)).files()).isEmpty();
  }
}
