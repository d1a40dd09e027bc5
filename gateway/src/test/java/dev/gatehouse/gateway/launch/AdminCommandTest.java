package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./gatehouse admin}, against a running node with its configuration in the database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class AdminCommandTest {


  private Path folder;
  private RunningNode node;
  private CommandFolder commands;
  private StringWriter out;
  private StringWriter err;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    this.folder = folder;
    commands = new CommandFolder(folder, "configuration: {source: database}\n");
    out = commands.out;
    err = commands.err;
    node = RunningNode.start(commands.config, Map.of());
  }

  @AfterAll
  void stop() {
    node.close();
  }

  private int run(String... arguments) {
    List<String> line = Stream.concat(Stream.of("admin"), Arrays.stream(arguments)).toList();
    boolean isAtNode = Arrays.stream(arguments).noneMatch(List.of("--help", "--config")::contains);
    Stream<String> where = isAtNode ? Stream.of("--config", commands.config.toString()) : Stream.of();
    return commands.run(Stream.concat(line.stream(), where).toArray(String[]::new));
  }

  private JsonNode json(String... arguments) {
    assertThat(run(Stream.concat(Arrays.stream(arguments), Stream.of("--output", "json")).toArray(String[]::new))).as(() -> out + err.toString()).isZero();
    return new JsonMapper().readTree(out.toString());
  }

  private Path body(String json) throws IOException {
    return Files.writeString(folder.resolve("body.json"), json);
  }

  @Test
  void listsAreTablesOrJson() {
    assertThat(run("realms", "list")).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).startsWith("NAME").contains("\ndemo  ");
    assertThat(json("realms", "get", "--realm", "demo").path("name").asString()).isEqualTo("demo");
  }

  @Test
  void itsTemporaryKeyIsGoneAfterwards() {
    assertThat(run("realms", "list")).isZero();
    assertThat(new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom()).list()).isEmpty();
  }

  @Test
  void aRefusalIsReadableAndCode1() throws IOException {
    assertThat(run("realms", "get", "--realm", "none/../demo")).isEqualTo(1);
    assertThat(run("realms", "get", "--realm", "none")).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).isEqualToIgnoringNewLines("The node refuses (404 Not Found): There is no realm none.");
    Path wrong = Files.writeString(folder.resolve("wrong-key"), "gha_wrong\n");
    assertThat(run("realms", "list", "--key-file", wrong.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("(403 ").doesNotContain("gha_wrong");
  }

  @Test
  void whatIsMissingOrUnknownIsCode2() {
    assertThat(run("realms", "get")).isEqualTo(2);
    assertThat(err.toString()).contains("--realm");
    assertThat(run("sessions", "list", "--realm", "demo", "--kind", "other")).isEqualTo(2);
    assertThat(err.toString()).contains("--kind is one of idp, app.");
    assertThat(run("entries", "put", "--realm", "demo", "--kind", "partners", "--id", "x")).isEqualTo(2);
    assertThat(err.toString()).contains("--file");
  }

  @Test
  void aFileThatIsNotThereIsSaidInASentence() {
    String missing = folder.resolve("missing").toString();
    assertThat(run("entries", "put", "--realm", "demo", "--kind", "partners", "--id", "x", "--file", missing)).isEqualTo(2);
    assertThat(err.toString()).startsWith("There is no file " + missing + ".");
    assertThat(run("realms", "list", "--key-file", missing)).isEqualTo(1);
    assertThat(err.toString()).isEqualToIgnoringNewLines("There is no file " + missing + ".");
    assertThat(commands.run("replay", missing, "--realm", "demo", "--config", commands.config.toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualToIgnoringNewLines("There is no file " + missing + ".");
  }

  /** The client's message about a header field that cannot be sent repeats the field. */
  @Test
  void aFileWithMoreThanAKeyIsRefusedAndItsKeyIsNotPrinted() throws IOException {
    String file = folder.resolve("no-key").toString();
    String config = commands.config.toString();
    List<String[]> lines =
        List.of(
            new String[] {"admin", "realms", "list", "--config", config, "--key-file", file},
            new String[] {"audit", "search", "--config", config, "--key-file", file},
            new String[] {"plan", commands.proposal.toString(), "--config", config, "--key-file", file});
    String oneLine = " has more than one line: ";
    String ascii = " has a character that no administrator key has";
    Map<String, String> sentences =
        Map.of(
            "gha_first\nhalf\n", oneLine, "gha_first\r\nhalf", oneLine, "gha_first half", ascii, "\ufeffgha_first", ascii,
            "gha_first\u007fhalf", ascii, " \n", " is empty: ");
    for (Map.Entry<String, String> each : sentences.entrySet()) {
      Files.writeString(Path.of(file), each.getKey());
      for (String[] line : lines) {
        assertThat(commands.run(line)).isEqualTo(1);
        assertThat(out + err.toString()).startsWith(file + each.getValue()).doesNotContain("gha_first", "half", "\tat ");
      }
    }
  }

  @Test
  void helpSaysTheRole() {
    assertThat(run("partners", "list", "--help")).isZero();
    assertThat(out.toString()).contains("--realm=VALUE", "--all-pages", "/admin/v1/realms/{realm}/partners, needs the role viewer");
    assertThat(run("partners", "--help")).isZero();
    assertThat(out.toString()).contains("list");
  }

  @Test
  void changesAreMadeForTheRevisionInUseAndOthersAreRefused() throws IOException {
    String[] put = {"entries", "put", "--realm", "demo", "--kind", "partners", "--id", "https://cli.example.org"};
    Path partner = body("{\"entityId\":\"https://cli.example.org\",\"displayName\":\"By the command line\"}");
    assertThat(run(with(put, "--file", partner.toString(), "--reason", "tested"))).as(() -> out + err.toString()).isZero();
    assertThat(node.get(RealmsInUse.class).find("demo").orElseThrow().parties().partners()).extracting(p -> p.entityId()).contains("https://cli.example.org");
    assertThat(run(with(put, "--file", body("{\"entityId\":\"https://cli.example.org\"}").toString(), "--if-match", "999"))).isEqualTo(1);
    assertThat(err.toString()).contains("(412 ");
    assertThat(run(with(put, "--file", body("{\"entityId\":\"https://cli.example.org\",\"colour\":1}").toString()))).isEqualTo(1);
    assertThat(err.toString()).contains("colour: is not a known key — ");
    assertThat(run("revisions", "roll-back", "--number", "1")).as(() -> out + err.toString()).isZero();
    assertThat(node.get(RealmsInUse.class).find("demo").orElseThrow().parties().partners()).extracting(p -> p.entityId()).doesNotContain("https://cli.example.org");
  }

  @Test
  void allPagesAreOneList() throws IOException {
    StringBuilder partners = new StringBuilder("partners:\n");
    for (int i = 0; i < 7; i++) {
      partners.append("  - {entityId: \"https://p").append(i).append(".example.org\", displayName: P}\n");
    }
    String realm = Files.readString(CommandFolder.SAMPLE.resolve("realms/demo.yaml")).replace("partners:\n", partners);
    Path files = body(new JsonMapper().writeValueAsString(Map.of("files", List.of(Map.of("path", "realms/demo.yaml", "text", realm)))));
    assertThat(run("revisions", "propose", "--dry-run", "--file", files.toString())).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("https://p6.example.org");
    assertThat(run("revisions", "propose", "--file", files.toString())).as(() -> out + err.toString()).isZero();
    assertThat(run("partners", "list", "--realm", "demo", "--limit", "3")).isZero();
    assertThat(err.toString()).contains("There are more: use --all-pages, or --after='https://p");
    assertThat(json("partners", "list", "--realm", "demo", "--limit", "3", "--all-pages").path("partners")).hasSize(8);
    assertThat(run("partners", "list", "--realm", "demo", "--limit", "3", "--all-pages")).isZero();
    assertThat(out.toString().lines().filter(line -> line.contains("https://p"))).hasSizeGreaterThanOrEqualTo(7);
    assertThat(run("revisions", "roll-back", "--number", "1")).isZero();
  }

  private static String[] with(String[] first, String... more) {
    return Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(String[]::new);
  }
}
