package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.node.SmtpConfig;
import dev.gatehouse.common.node.SmtpConfig.Account;
import dev.gatehouse.common.node.SmtpConfig.Security;
import dev.gatehouse.common.realm.ContractsConfig.PasswordReset;
import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.PersonMailConfig.Notice;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key about mail and new passwords by mail, the defaults, and their mistakes. */
class MailKeysTest {

  private static final String BIND = "  bindDn: cn=gatehouse,dc=example,dc=org\n  bindPassword: x\n";
  private static final String RESET = "  contracts: {passwordReset: {}}\n";
  private static final String SERVER = "mail: {host: smtp.example.org, from: no-reply@example.org}";

  @TempDir Path path;

  private ConfigurationFolder folder(String node, String directory, String idp) {
    String realm =
        ConfigurationFolder.MINIMAL
            .replaceFirst("(?m)^(directory:\n)", "$1" + directory)
            .replaceFirst("(?m)^(  publicUrl: http://idp.*\n)", "$1" + idp);
    assertThat(realm).contains(directory, idp);
    return ConfigurationFolder.minimal(path).node(node).demo(realm);
  }

  private SmtpConfig server(String keys) {
    return folder("mail: {" + keys + "}", "", "").load().node().outbound().mail().orElseThrow();
  }

  @Test
  void everyKeyOfTheServerAndTheDefaults() {
    assertThat(server("host: smtp.example.org, from: no-reply@example.org"))
        .isEqualTo(
            new SmtpConfig(
                "smtp.example.org", 587, Security.START_TLS, List.of(), Optional.empty(), "no-reply@example.org", List.of()));
    assertThat(
            server(
                "host: smtp.example.org, tls: smtps, from: a@example.org, user: gate, password: demo,"
                    + " administrators: [ops@example.org, root@example.org]"))
        .isEqualTo(
            new SmtpConfig(
                "smtp.example.org", 465, Security.SMTPS, List.of(), Optional.of(new Account("gate", new Secret("demo"))),
                "a@example.org", List.of("ops@example.org", "root@example.org")));
    assertThat(server("host: localhost, port: 1025, tls: none, from: a@example.org").port()).isEqualTo(1025);
    assertThat(ConfigurationFolder.minimal(path).load().node().outbound().mail()).isEmpty();
  }

  @Test
  void everyKeyOfPeopleAndTheDefaults() {
    String own = "Subject: Hello {person}\n\n{link}\n";
    Realm realm =
        folder(
                SERVER,
                BIND + "  mail: {language: de, notices: [newDevice], texts: {passwordReset.de: reset.txt}}\n",
                "  contracts: {passwordReset: {life: 15m}}\n")
            .write("realms/reset.txt", own)
            .realm();
    assertThat(realm.directory().orElseThrow().mail())
        .contains(new PersonMailConfig("mail", "de", Set.of(Notice.NEW_DEVICE), Map.of("passwordReset.de", own)));
    assertThat(realm.idp().orElseThrow().contracts().passwordReset()).contains(new PasswordReset(Duration.ofMinutes(15)));

    Realm usual = folder(SERVER, BIND + "  mail: {}\n", RESET).realm();
    assertThat(usual.directory().orElseThrow().mail())
        .contains(
            new PersonMailConfig(
                "mail", "en",
                Set.of(
                    Notice.NEW_DEVICE, Notice.SECOND_FACTOR_ADDED, Notice.SECOND_FACTOR_REMOVED, Notice.PASSWORD_CHANGED,
                    Notice.SESSIONS_ENDED),
                Map.of()));
    assertThat(usual.idp().orElseThrow().contracts().passwordReset()).contains(new PasswordReset(Duration.ofMinutes(20)));
    Realm without = ConfigurationFolder.minimal(path).realm();
    assertThat(without.idp().orElseThrow().contracts().passwordReset()).isEmpty();
    assertThat(without.directory().orElseThrow().mail()).isEmpty();
  }

  private String problem(String node, String directory, String idp) {
    return problems(folder(node, directory, idp));
  }

  private static String problems(ConfigurationFolder folder) {
    return folder.problems().toString();
  }

  @Test
  void mistakesOfTheServer() {
    assertThat(problem("mail: {from: a@example.org}", "", "")).contains("host", "is missing");
    assertThat(problem("mail: {host: smtp.example.org}", "", "")).contains("from", "is missing");
    assertThat(problem("mail: {host: smtp.example.org, tls: none, from: a@b.org}", "", "")).contains("clear text");
    assertThat(problem("mail: {host: localhost, tls: none, from: a@b.org, user: u, password: p}", "", "")).contains("clear text");
    assertThat(problem("mail: {host: smtp.example.org, from: a@b.org, user: u}", "", "")).contains("stands alone");
    for (String address : List.of("a", "a@b.org, c@d.org", "A <a@b.org>", "\"a@b.org\\r\\nBcc: c@d.org\"", "a@", "@b.org", "a..b@c.org")) {
      String quoted = address.startsWith("\"") ? address : "'" + address + "'";
      assertThat(problem("mail: {host: smtp.example.org, from: " + quoted + "}", "", "")).as(address).contains("not a mail address");
    }
  }

  @Test
  void mistakesOfPeople() {
    assertThat(problem("", "  mail: {}\n", "")).contains("no server takes it");
    assertThat(problem(SERVER, BIND, RESET)).contains("people get no mail");
    assertThat(problem(SERVER, "  mail: {}\n", RESET)).contains("nobody may write passwords");
    assertThat(problem(SERVER, "  mail: {attribute: address}\n", "")).contains("names address, which is not read");
    assertThat(problem(SERVER, BIND + "  mail: {}\n", "  contracts: {passwordReset: {life: 2h}}\n")).contains("life");
    assertThat(problem(SERVER, "  mail: {notices: [passwordReset]}\n", "")).contains("notices");
  }

  @Test
  void mistakesOfTexts() {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "Hello\n\nx\n", "has no subject",
                "Subject: x\ny\n\nz\n", "has no subject",
                "Subject: x\n\n{password}\n", "uses {password}",
                "Subject: x\n\n" + "y".repeat(20_000), "longer than 16 KB")
            .entrySet()) {
      ConfigurationFolder folder = folder(SERVER, "  mail: {texts: {newDevice: new.txt}}\n", "").write("realms/new.txt", wrong.getKey());
      assertThat(problems(folder)).contains(wrong.getValue());
    }
    assertThat(
            problems(
                folder(SERVER, "  mail: {texts: {passwordReset: new.txt}}\n", "").write("realms/new.txt", "Subject: x\n\ny\n")))
        .contains("lacks {link}");
    assertThat(
            problems(folder(SERVER, "  mail: {texts: {other: new.txt}}\n", "").write("realms/new.txt", "Subject: x\n\ny\n")))
        .contains("stands for no mail");
  }
}
