package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PeopleSearch.Entry;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.token.TokenDeskFixture;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.json.JsonMapper;

/** The commands for tokens, against the administration of a node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenCommandsTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String SEED = "3132333435363738393031323334353637383930";

  private final TokenDeskFixture tokens = new TokenDeskFixture();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Optional<NodeApi> another = Optional.empty();
  private TestAdmin admin;
  private Path folder;

  @BeforeAll
  void start(@TempDir Path data) {
    admin = new TestAdmin(data, tokens::register);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean(@TempDir Path files) {
    folder = files;
    another = Optional.empty();
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    tokens.clear();
    tokens.entries.clear();
    Set.copyOf(tokens.known.all("demo").keySet()).forEach(id -> tokens.known.erase("demo", id));
  }

  private NodeApi node() {
    HttpClient http = HttpClient.newHttpClient();
    return new NodeApi(URI.create("http://127.0.0.1:" + admin.port()), http, admin.key, http::close);
  }

  @Command(name = "import")
  private final class Import extends TokenFileImport {
    Import() {
      super(new Access());
    }
  }

  @Command(name = "change")
  private final class Change extends TokenFileChange {
    Change() {
      super(new Access());
    }
  }

  @Command(name = "preview")
  private final class Preview extends PeopleCommand.Preview {
    Preview() {
      super(new Access());
    }
  }

  @Command(name = "sync")
  private final class Sync extends PeopleCommand.Sync {
    Sync() {
      super(new Access());
    }
  }

  @Command
  private final class Access implements NodeAccess {
    @Override
    public NodeApi open() {
      return another.orElseGet(TokenCommandsTest.this::node);
    }
  }

  private int run(CommandLine line, String... arguments) {
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private int imported(String... arguments) {
    return run(new CommandLine(new Import()), arguments);
  }

  @Test
  void aFileIsImportedWholeOrWithoutItsWrongLines() throws Exception {
    Path file = Files.writeString(folder.resolve("tokens.csv"), "serial,seed_hex\nn-1," + SEED + "\n=n 2," + SEED + "\n");
    assertThat(imported(file.toString(), "--realm", "demo")).isEqualTo(1);
    assertThat(err.toString()).contains("Entry 3 (=n 2)", "Nothing was imported.");
    assertThat(imported(file.toString(), "--realm", "demo", "--on-error", "skip")).isEqualTo(1);
    assertThat(out.toString()).contains("1 of 2 tokens are imported.");
    assertThat(Files.readString(folder.resolve("tokens.csv.rejects.csv"))).contains("3,\"'=n 2\",").doesNotContain(SEED);
    Files.writeString(file, "serial,seed_hex\nn-3," + SEED + "\n");
    assertThat(imported(file.toString(), "--realm", "demo")).isZero();
    assertThat(tokens.tokens.list("demo", "", 10)).hasSize(2);
    assertThat(imported(file.toString(), "--realm", "none")).isEqualTo(1);
    assertThat(err.toString()).contains("There is no realm none.");
  }

  @Test
  void whatIsWrongIsInAFileAlsoIfNothingIsImported() throws Exception {
    StringBuilder lines = new StringBuilder("serial,seed_hex\n");
    for (int i = 0; i < 25; i++) {
      lines.append("n-" + i + ",00\n");
    }
    Path file = Files.writeString(folder.resolve("tokens.csv"), lines);
    assertThat(imported(file.toString(), "--realm", "demo")).isEqualTo(1);
    assertThat(err.toString()).contains("15 more entries are wrong", "Nothing was imported.");
    assertThat(Files.readAllLines(folder.resolve("tokens.csv.rejects.csv"))).hasSize(26);
    assertThat(out.toString()).doesNotContain("These are the first");
    for (int i = 25; i < 2_005; i++) {
      lines.append("n-" + i + ",00\n");
    }
    Files.writeString(file, lines);
    assertThat(imported(file.toString(), "--realm", "demo")).isEqualTo(1);
    assertThat(out.toString()).contains("These are the first 2000 of 2005 such entries");
    assertThat(Files.readAllLines(folder.resolve("tokens.csv.rejects.csv"))).hasSize(2_001);
    assertThat(tokens.tokens.list("demo", "", 10)).isEmpty();
  }

  @Test
  void tokensAreChangedByAFile() throws Exception {
    tokens.add("t-1", "t-2", "t-3");
    Path file =
        Files.writeString(
            folder.resolve("changes.csv"),
            "action,serial,person\nassign,t-1,alice\ndisable,t-2,\nassign,t-1,bob\nassign,t-3,bob\nlose,t-3,\n");
    assertThat(run(new CommandLine(new Change()), file.toString(), "--realm", "demo")).isEqualTo(1);
    assertThat(err.toString()).contains("Entry 6 (t-3)", "Nothing was changed.");
    assertThat(Files.readAllLines(folder.resolve("changes.csv.rejects.csv"))).hasSize(2);
    assertThat(run(new CommandLine(new Change()), file.toString(), "--realm", "demo", "--on-error", "skip")).isEqualTo(1);
    assertThat(out.toString()).contains("3 of 5 tokens are changed.");
    assertThat(Files.readAllLines(folder.resolve("changes.csv.rejects.csv")))
        .hasSize(3)
        .contains("4,\"t-1\",\"The token belongs to somebody: take it back first.\"");
    assertThat(tokens.tokens.find("demo", "t-1").orElseThrow().person()).contains(new PersonId("alice"));
    Files.writeString(file, "action,serial,by,expires\nreplace,t-1,t-4,\n");
    assertThat(run(new CommandLine(new Change()), file.toString(), "--realm", "demo")).isEqualTo(1);
    Files.writeString(file, "action,serial,by,expires\nexpire,t-2,,2028-01-31T00:00:00Z\nenable,t-2,,\nunassign,t-1,,\n");
    assertThat(run(new CommandLine(new Change()), file.toString(), "--realm", "demo")).as(err.toString()).isZero();
    assertThat(tokens.tokens.find("demo", "t-1").orElseThrow().person()).isEmpty();
  }

  @Test
  void aFileThatCannotBeReadIsSaidInASentence() throws Exception {
    String missing = folder.resolve("missing.csv").toString();
    for (CommandLine line : List.of(new CommandLine(new Import()), new CommandLine(new Change()))) {
      assertThat(run(line, missing, "--realm", "demo")).isEqualTo(2);
    }
    Path latin = Files.write(folder.resolve("latin.csv"), "serial,seed_hex\nM\u00fcller,00\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(imported(latin.toString(), "--realm", "demo")).isEqualTo(2);
    assertThat(imported(folder.toString(), "--realm", "demo")).isEqualTo(2);
    Path good = Files.writeString(folder.resolve("good.csv"), "serial,seed_hex\nn-1," + SEED + "\n");
    assertThat(imported(good.toString(), "--realm", "demo", "--password-file", missing)).isEqualTo(2);
    assertThat(err.toString())
        .contains("There is no file " + missing + ".", latin + " is no text in UTF-8", folder + " cannot be read: ")
        .doesNotContain("Exception", "\tat ");
    assertThat(tokens.tokens.list("demo", "", 10)).isEmpty();
  }

  @Test
  void theRealmStaysInItsPlaceOfThePath() throws Exception {
    String file = Files.writeString(folder.resolve("tokens.csv"), "serial\n").toString();
    try (ScriptedNode scripted = new ScriptedNode()) {
      another = Optional.of(scripted.api());
      for (int i = 0; i < 3; i++) {
        scripted.answers(404, "{\"title\":\"Not Found\",\"detail\":\"There is no such realm.\"}");
      }
      assertThat(imported(file, "--realm", "a b/c")).isEqualTo(1);
      assertThat(run(new CommandLine(new Change()), file, "--realm", "a b/c")).isEqualTo(1);
      assertThat(run(new CommandLine(new Sync()), "--realm", "a b/c", "--may-disable", "5 %")).isEqualTo(1);
      assertThat(scripted.requests())
          .extracting(ScriptedNode.Request::uri)
          .containsExactly(
              "/admin/v1/realms/a%20b%2Fc/tokens/import?onError=stop", "/admin/v1/realms/a%20b%2Fc/tokens/changes?onError=stop",
              "/admin/v1/realms/a%20b%2Fc/token-people/synchronise?mayDisable=5%20%25");
    }
  }

  @Test
  void aLineForEachThousandTokensSaysHowFarItIs() {
    long[] told = {0};
    for (long done : new long[] {0, 999, 1000, 1500, 2600}) {
      TokenFileJob.tell(new PrintWriter(out, true), JSON.createObjectNode().put("done", done).put("total", 3000), told);
    }
    assertThat(out.toString().lines()).containsExactly("1000 of 3000 tokens.", "2600 of 3000 tokens.");
  }

  /** The entity tag that the command takes is that of the token, not that of the revision in use. */
  @Test
  void aStepIsTakenForTheTokenAsItIs() {
    tokens.add("t-1");
    @Command(name = "admin")
    final class Admin {}
    CommandLine line = new CommandLine(new Admin());
    OperationCommands.addTo(line, Access::new, InputStream.nullInputStream());
    assertThat(run(line, "tokens", "assign", "--realm", "demo", "--serial", "t-1", "--person", "alice")).as(err.toString()).isZero();
    assertThat(run(line, "tokens", "disable", "--realm", "demo", "--serial", "t-1", "--if-match", "0123456789abcdef")).isEqualTo(1);
    assertThat(err.toString()).contains("(412 ");
    assertThat(run(line, "tokens", "disable", "--realm", "demo", "--serial", "t-1")).isZero();
  }

  @Test
  void peopleAreComparedAndSynchronised() {
    for (String name : List.of("alice", "bob\u001b[31m", "carol")) {
      tokens.entries.add(
          new Entry("uid=" + name, Optional.of(new PersonId(name + "-id")), Optional.of(name), Optional.empty(), Optional.empty(), List.of(), false));
    }
    assertThat(run(new CommandLine(new Preview()), "--realm", "demo")).isZero();
    assertThat(out.toString()).contains("found: 3", "added: 2", "rejected: 1", "added alice (alice-id)", "NAME_UNUSABLE bob").doesNotContain("\u001b");
    assertThat(tokens.known.all("demo")).isEmpty();
    assertThat(run(new CommandLine(new Sync()), "--realm", "demo")).isZero();
    assertThat(tokens.known.all("demo")).hasSize(2);
    tokens.entries.clear();
    assertThat(run(new CommandLine(new Preview()), "--realm", "demo")).isEqualTo(1);
    assertThat(run(new CommandLine(new Sync()), "--realm", "demo", "--may-disable", "100%")).isEqualTo(1);
    assertThat(err.toString()).contains("DIRECTORY_EMPTY", "Nothing was changed");
    assertThat(run(new CommandLine(new Sync()), "--realm", "demo", "--may-disable", "lots")).isEqualTo(1);
    assertThat(err.toString()).contains("a share like 5%");
    assertThat(run(new CommandLine(new Sync()))).isEqualTo(2);
  }
}
