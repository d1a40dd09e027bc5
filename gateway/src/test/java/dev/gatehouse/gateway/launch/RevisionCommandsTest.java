package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.gateway.process.FreePorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands for revisions, against a running node. */
@Timeout(120)
class RevisionCommandsTest {

  private static final Path SAMPLE = Path.of("../docker/config/idp");

  @TempDir Path folder;
  private Path config;
  private Path proposal;
  private RunningNode node;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws IOException {
    config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    String yaml = Files.readString(SAMPLE.resolve("gatehouse.yaml")).replaceAll("port: \\d+", "port: 0");
    yaml = yaml.replace("admin: {address: 127.0.0.1, port: 0}", "admin: {address: 127.0.0.1, port: " + FreePorts.take(1).getFirst() + "}");
    Files.writeString(config.resolve("gatehouse.yaml"), yaml.replace("data: /var/lib/gatehouse", "storage: volatile\ndata: ../data"));
    Files.copy(SAMPLE.resolve("realms/demo.yaml"), config.resolve("realms/demo.yaml"));
    proposal = folder.resolve("proposal");
    Files.createDirectories(proposal.resolve("realms"));
    Files.copy(SAMPLE.resolve("realms/demo.yaml"), proposal.resolve("realms/demo.yaml"));
    node = RunningNode.start(config, Map.of());
    RevisionStore revisions = node.get(RevisionStore.class);
    Eventually.holds(() -> revisions.latest().isPresent());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private int run(Path proposed) {
    return run("plan", proposed.toString());
  }

  private int run(String command, String... arguments) {
    List<String> line = new ArrayList<>(List.of(command, "--config", config.toString()));
    line.addAll(List.of(arguments));
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Launcher.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.toArray(String[]::new));
  }

  private void change(String old, String replacement) throws IOException {
    Path realm = proposal.resolve("realms/demo.yaml");
    String text = Files.readString(realm);
    assertThat(text).contains(old);
    Files.writeString(realm, text.replace(old, replacement));
  }

  @Test
  void whatIsTheSameChangesNothing() {
    assertThat(run(proposal)).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).isEqualToIgnoringNewLines("Nothing would change.");
  }

  @Test
  void aFolderIsComparedAndNothingTakesEffect() throws IOException {
    change("partners:\n", "partners:\n  - {entityId: \"https://new.example.org\", displayName: New}\n");
    assertThat(run(proposal)).as(() -> out + err.toString()).isZero();
    assertThat(out.toString())
        .contains("+ demo: partner https://new.example.org", "    displayName: New", "~ realms/demo.yaml", "+  - {entityId: \"https://new.example.org\"")
        .contains("1 change in 1 file against revision 1.");
    assertThat(node.get(RealmsInUse.class).find("demo").orElseThrow().parties().partners()).extracting(p -> p.entityId()).doesNotContain("https://new.example.org");
    assertThat(new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom()).list()).isEmpty();
  }

  @Test
  void everyProblemIsPrinted() throws IOException {
    change("partners:\n", "partners:\n  - {entityId: nothing, colour: blue}\n");
    assertThat(run(proposal)).isEqualTo(1);
    assertThat(out.toString()).contains("partners[0].entityId", "partners[0].colour: is not a known key", "2 problems");
  }

  @Test
  void oneFileLeavesOtherRealmsAsTheyAre() throws IOException {
    Path other = proposal.resolve("realms/other.yaml");
    Files.writeString(other, Files.readString(proposal.resolve("realms/demo.yaml")).replace("idp.localhost", "other.localhost"));
    assertThat(run(other)).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("+ realms/other.yaml", "in 1 file").doesNotContain("- realms/demo.yaml");
  }

  @Test
  void anExportIsWhatWasRead() throws IOException {
    Path target = folder.resolve("exported");
    assertThat(run("export", target.toString())).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("Wrote revision 1 to " + target);
    assertThat(target.resolve("realms/demo.yaml")).hasSameBinaryContentAs(config.resolve("realms/demo.yaml"));
    assertThat(run(target)).isZero();
    assertThat(out.toString()).contains("Nothing would change.");
    assertThat(run("export", target.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("is not empty");
    assertThat(run("export", folder.resolve("new").toString(), "--revision", "7")).isEqualTo(1);
    assertThat(err.toString()).contains("There is no revision 7.");
  }

  @Test
  void withoutANodeTheLastRevisionCounts() throws IOException {
    node.close();
    Path yaml = config.resolve("gatehouse.yaml");
    Files.writeString(yaml, Files.readString(yaml).replace("storage: volatile\n", ""));
    assertThat(run(proposal)).isEqualTo(1);
    assertThat(err.toString()).contains("No node answers, and none left revisions");
    try (RunningNode once = RunningNode.start(config, Map.of())) {
      Eventually.holds(() -> once.get(RevisionStore.class).latest().isPresent());
    }
    change("partners:\n", "partners:\n  - {entityId: \"https://new.example.org\"}\n");
    assertThat(run(proposal)).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("+ demo: partner https://new.example.org", "1 change in 1 file against revision 1.");
  }

  @Test
  void whatCannotBeReadIsSaid() {
    assertThat(run(folder.resolve("nothing"))).isEqualTo(1);
    assertThat(err.toString()).contains("is neither a folder nor a file realms/NAME.yaml");
    node.close();
    assertThat(run(proposal)).isEqualTo(1);
    assertThat(err.toString()).contains("No node answers");
  }
}
