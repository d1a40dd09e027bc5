package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoPorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandLineTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  @Test
  void withoutArgumentsItExplainsItself() {
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("demo", "run", "check", "keys", "version", "test", "bench", "package", "Exit codes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "run", "check", "keys", "version", "test", "bench", "package"})
  void everySubcommandHasHelp(String name) {
    assertThat(run(name, "--help")).isZero();
    assertThat(out.toString()).contains("Usage: gatehouse " + name);
  }

  @Test
  void whatIsNotUnderstoodIsCode2() {
    assertThat(run("nonsense")).isEqualTo(2);
    assertThat(run("run")).isEqualTo(2);
    assertThat(err.toString()).contains("--config");
  }

  @Test
  void checkPrintsEveryProblemAndEndsWith1() throws IOException {
    new DemoConfiguration(folder.resolve("config")).write(DemoPorts.contract());
    Path realm = folder.resolve("config/realms/demo.yaml");
    Files.writeString(realm, Files.readString(realm).replace("publicUrl: http://idp", "publikUrl: http://idp"));
    assertThat(run("check", "--config", folder.resolve("config").toString())).isEqualTo(1);
    assertThat(out.toString()).contains("demo.yaml:", "idp.publikUrl", "did you mean publicUrl?", "problems.");
  }

  @Test
  void checkSaysWhichAttributesFeedWhichClaims() throws IOException {
    Path config = sample();
    Path realm = config.resolve("realms/demo.yaml");
    String text = Files.readString(realm).replaceFirst("\nidp:\n", "\nidp:\n  oauth: {registration: loopback}\n");
    Files.writeString(realm, text);
    assertThat(run("check", "--config", config.toString())).isZero();
    assertThat(out.toString())
        .contains("note: realm demo: claims of OpenID:", "email from mail", "family_name from sn", "name from displayName (else cn)")
        .contains("never sent, because directory.attributes does not list the attribute: phone_number (telephoneNumber)");
    String read = "\ndirectory:\n  attributes: [uid, cn, givenName, sn, displayName, mail, telephoneNumber]\n";
    Files.writeString(realm, text.replaceFirst("\ndirectory:\n", read));
    assertThat(run("check", "--config", config.toString())).isZero();
    assertThat(out.toString()).contains("phone_number from telephoneNumber").doesNotContain("never sent");
    Files.writeString(realm, text.replaceFirst("\ndirectory:\n", "\ndirectory:\n  attributes: [uid, mail]\n"));
    assertThat(run("check", "--config", config.toString())).isZero();
    assertThat(out.toString()).contains(" name (displayName)").contains("preferred_username from uid (else the login name)");
  }

  @Test
  void checkNamesProvidersWithOneRedirectUri() throws IOException {
    Path config = sample();
    Path realm = config.resolve("realms/demo.yaml");
    String text =
        Files.readString(realm)
            + """

            sp:
              publicUrl: http://app.localhost:8000
              identityProvider: ["https://a.example", "https://b.example"]
            providers:
              - {issuer: "https://a.example", clientId: gatehouse}
              - {issuer: "https://b.example", clientId: gatehouse}
            """;
    Files.writeString(realm, text);
    assertThat(run("check", "--config", config.toString())).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains("note: realm demo: people log in by one redirect URI at https://a.example, https://b.example;", "give these an alias");
    out.getBuffer().setLength(0);
    Files.writeString(realm, text.replaceFirst("clientId: gatehouse", "clientId: gatehouse, alias: a"));
    assertThat(run("check", "--config", config.toString())).as(out.toString()).isZero();
    assertThat(out.toString()).doesNotContain("redirect URI");
  }

  @Test
  void aWrongConfigurationIsToldWithoutAStackTrace() throws IOException {
    Files.writeString(folder.resolve("gatehouse.yaml"), "rolls: [idp]\n");
    assertThat(run("run", "--config", folder.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("gatehouse.yaml:1: rolls", "the node was not started").doesNotContain("\tat ");
  }

  @Test
  void signingKeysAreRotatedStepByStep() throws IOException {
    String config = sample().toString();
    assertThat(run("keys", "list", "--config", config)).isZero();
    assertThat(out.toString()).contains("demo IDP_SIGNING  current").doesNotContain("next");
    String[] ring = {"--config", config, "--realm", "demo", "--use", "idp_signing"};
    assertThat(run(command("keys", "promote", ring))).isEqualTo(1);
    assertThat(run(command("keys", "prepare", ring))).isZero();
    assertThat(run(command("keys", "promote", ring))).isZero();
    assertThat(out.toString()).contains("previous");
    assertThat(run(command("keys", "retire", ring))).isZero();
  }

  @Test
  void administratorKeysAreShownOnceAndRevoked() throws IOException {
    String config = sample().toString();
    assertThat(run("keys", "admin", "--config", config, "--name", "ops")).isZero();
    assertThat(out.toString()).startsWith("gha_");
    assertThat(run("keys", "admin", "--config", config, "--name", "ops")).isEqualTo(1);
    assertThat(run("keys", "admin", "--config", config, "--list")).isZero();
    assertThat(out.toString()).contains("ops").doesNotContain("ops  gha_");
    assertThat(run("keys", "admin", "--config", config, "--revoke", "ops")).isZero();
    assertThat(run("keys", "admin", "--config", config, "--revoke", "ops")).isEqualTo(1);
  }

  @Test
  void administratorKeysHaveRolesAndAnEnd() throws IOException {
    String config = sample().toString();
    String[] key = {"--config", config, "--name", "desk"};
    assertThat(run(command("keys", "admin", Stream.concat(Stream.of(key), Stream.of("--role", "viewer", "--role", "helpdesk@demo",
        "--expires", "30")).toArray(String[]::new)))).isZero();
    assertThat(run("keys", "admin", "--config", config, "--name", "ops")).isZero();
    assertThat(run("keys", "admin", "--config", config, "--list")).isZero();
    assertThat(out.toString()).contains("  desk  viewer,helpdesk@demo  ends 20", "  ops  admin  does not end");
    assertThat(Files.readString(folder.resolve("data/keys/administrators"))).contains("\tviewer,helpdesk@demo\n", "\t-\tadmin\n");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "2 | --name x --role root | there is no role `root`; the roles are viewer, helpdesk, operator, admin",
    "2 | --name x --role admin@ | has no name of a realm after @",
    "1 | --name x --role admin@none | there is no realm none; realms here: demo",
    "2 | --name x --expires 0 | a number of days from 1 to 3650",
    "2 | --name x --expires -1 | a number of days from 1 to 3650",
    "2 | --name x --expires 3651 | a number of days from 1 to 3650",
    "2 | --name x --expires soon | is not an int",
    "2 | --list --role viewer | give --name, too",
    "2 | --revoke x --expires 3 | give --name, too"
  })
  void wrongRolesAndEndsCreateNoKey(int exit, String options, String message) throws IOException {
    String[] all = ("--config " + sample() + " " + options).split(" ");
    assertThat(run(command("keys", "admin", all))).isEqualTo(exit);
    assertThat(err.toString()).contains(message);
    assertThat(folder.resolve("data/keys/administrators")).doesNotExist();
  }

  /** A node with an idp alone, whose data lie in the test's folder. */
  private Path sample() throws IOException {
    Path config = folder.resolve("sample");
    Files.createDirectories(config.resolve("realms"));
    String node = Files.readString(Path.of("../docker/config/idp/gatehouse.yaml"));
    Files.writeString(config.resolve("gatehouse.yaml"), node.replace("/var/lib/gatehouse", folder.resolve("data").toString()));
    Files.copy(Path.of("../docker/config/idp/realms/demo.yaml"), config.resolve("realms/demo.yaml"));
    return config;
  }

  private static String[] command(String first, String second, String... more) {
    String[] all = new String[more.length + 2];
    all[0] = first;
    all[1] = second;
    System.arraycopy(more, 0, all, 2, more.length);
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo --help", "demo --port-base", "demo --unknown", "demo again", "run", "run --help", "run --config"})
  void commandsThatStartNodesAnswerTheSameWithoutTheOthers(String line) {
    String[] arguments = line.split(" ");

    int whole = run(arguments);
    String printed = out + "\n" + err;
    int alone = run(Launcher.commandLine(arguments[0]), arguments);

    assertThat(alone).isEqualTo(whole);
    assertThat(out + "\n" + err).isEqualTo(printed).contains("gatehouse " + arguments[0]);
    assertThat(Launcher.commandLine(arguments[0]).getSubcommands()).containsOnlyKeys(arguments[0]);
  }

  private int run(String... arguments) {
    return run(Launcher.commandLine(), arguments);
  }

  private int run(CommandLine line, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
