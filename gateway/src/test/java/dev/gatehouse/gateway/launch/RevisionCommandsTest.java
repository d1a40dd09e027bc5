package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.revision.RevisionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands for revisions, against a running node. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RevisionCommandsTest {

  private static final String VOLATILE = "storage: volatile\n";

  private Path folder;
  private CommandFolder commands;
  private RunningNode node;

  @BeforeAll
  void start(@TempDir Path shared) throws IOException {
    folder = shared;
    commands = new CommandFolder(folder, VOLATILE);
    node = started(commands);
  }

  private static RunningNode started(CommandFolder of) {
    RunningNode started = RunningNode.start(of.config, Map.of());
    RevisionStore revisions = started.get(RevisionStore.class);
    Eventually.holds(() -> revisions.latest().isPresent());
    return started;
  }

  @AfterAll
  void stop() {
    node.close();
  }

  @BeforeEach
  void proposeWhatIsInUse() throws IOException {
    commands.proposeSample();
  }

  private static int plan(CommandFolder of) {
    return plan(of, of.proposal);
  }

  private static int plan(CommandFolder of, Path proposed) {
    return run(of, "plan", proposed.toString());
  }

  private static int run(CommandFolder of, String command, String... arguments) {
    List<String> line = new ArrayList<>(List.of(command, "--config", of.config.toString()));
    line.addAll(List.of(arguments));
    return of.run(line.toArray(String[]::new));
  }

  /** What the last command printed. */
  private static String printed(CommandFolder of) {
    return of.out + of.err.toString();
  }

  @Test
  void whatIsTheSameChangesNothing() {
    assertThat(plan(commands)).as(() -> printed(commands)).isZero();
    assertThat(commands.out.toString()).isEqualToIgnoringNewLines("Nothing would change.");
  }

  @Test
  void aFolderIsComparedAndNothingTakesEffect() throws IOException {
    commands.change("partners:\n", "partners:\n  - {entityId: \"https://new.example.org\", displayName: New}\n");
    assertThat(plan(commands)).as(() -> printed(commands)).isZero();
    assertThat(commands.out.toString())
        .contains("+ demo: partner https://new.example.org", "    displayName: New")
        .contains("~ realms/demo.yaml", "+  - {entityId: \"https://new.example.org\"")
        .contains("1 change in 1 file against revision 1.");
    assertThat(node.get(RealmsInUse.class).find("demo").orElseThrow().parties().partners())
        .extracting(p -> p.entityId())
        .doesNotContain("https://new.example.org");
    assertThat(new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom()).list()).isEmpty();
  }

  @Test
  void everyProblemIsPrinted() throws IOException {
    commands.change("partners:\n", "partners:\n  - {entityId: nothing, colour: blue}\n");
    assertThat(plan(commands)).isEqualTo(1);
    assertThat(commands.out.toString()).contains("partners[0].entityId", "partners[0].colour: is not a known key", "2 problems");
  }

  @Test
  void oneFileLeavesOtherRealmsAsTheyAre() throws IOException {
    Path other = commands.proposal.resolve("realms/other.yaml");
    Files.writeString(other, Files.readString(commands.proposal.resolve("realms/demo.yaml")).replace("idp.localhost", "other.localhost"));
    assertThat(plan(commands, other)).as(() -> printed(commands)).isZero();
    assertThat(commands.out.toString()).contains("+ realms/other.yaml", "in 1 file").doesNotContain("- realms/demo.yaml");
  }

  @Test
  void anExportIsWhatWasRead() {
    Path target = folder.resolve("exported");
    assertThat(run(commands, "export", target.toString())).as(() -> printed(commands)).isZero();
    assertThat(commands.out.toString()).contains("Wrote revision 1 to " + target);
    assertThat(target.resolve("realms/demo.yaml")).hasSameBinaryContentAs(commands.config.resolve("realms/demo.yaml"));
    assertThat(plan(commands, target)).isZero();
    assertThat(commands.out.toString()).contains("Nothing would change.");
    assertThat(run(commands, "export", target.toString())).isEqualTo(1);
    assertThat(commands.err.toString()).contains("is not empty");
    assertThat(run(commands, "export", folder.resolve("new").toString(), "--revision", "7")).isEqualTo(1);
    assertThat(commands.err.toString()).contains("There is no revision 7.");
  }

  @Test
  void withoutANodeTheLastRevisionCounts(@TempDir Path own) throws IOException {
    CommandFolder stopped = new CommandFolder(own, VOLATILE);
    started(stopped).close();
    Path yaml = stopped.config.resolve("gatehouse.yaml");
    Files.writeString(yaml, Files.readString(yaml).replace(VOLATILE, ""));
    assertThat(plan(stopped)).isEqualTo(1);
    assertThat(stopped.err.toString()).contains("No node answers, and none left revisions");
    started(stopped).close();
    stopped.change("partners:\n", "partners:\n  - {entityId: \"https://new.example.org\"}\n");
    assertThat(plan(stopped)).as(() -> printed(stopped)).isZero();
    assertThat(stopped.out.toString()).contains("+ demo: partner https://new.example.org", "1 change in 1 file against revision 1.");
  }

  @Test
  void whatCannotBeReadIsSaid(@TempDir Path own) throws IOException {
    assertThat(plan(commands, folder.resolve("nothing"))).isEqualTo(1);
    assertThat(commands.err.toString()).contains("is neither a folder nor a file realms/NAME.yaml");
    CommandFolder stopped = new CommandFolder(own, VOLATILE);
    started(stopped).close();
    assertThat(plan(stopped)).isEqualTo(1);
    assertThat(stopped.err.toString()).contains("No node answers");
  }
}
