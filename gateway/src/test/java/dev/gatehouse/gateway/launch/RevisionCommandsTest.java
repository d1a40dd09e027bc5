package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.revision.RevisionStore;
import java.io.IOException;
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


  @TempDir Path folder;
  private Path config;
  private Path proposal;
  private RunningNode node;
  private CommandFolder commands;
  private StringWriter out;
  private StringWriter err;

  @BeforeEach
  void start() throws IOException {
    commands = new CommandFolder(folder, "storage: volatile\n");
    out = commands.out;
    err = commands.err;
    config = commands.config;
    proposal = commands.proposal;
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
    return commands.run(line.toArray(String[]::new));
  }

  private void change(String old, String replacement) throws IOException {
    commands.change(old, replacement);
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
