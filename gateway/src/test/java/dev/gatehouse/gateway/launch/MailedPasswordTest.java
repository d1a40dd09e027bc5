package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.MailOutbox;
import dev.gatehouse.common.db.MailOutbox.Waiting;
import dev.gatehouse.common.db.PasswordResets;
import dev.gatehouse.common.db.PasswordResets.PasswordReset;
import dev.gatehouse.common.db.PersonSecrets;
import dev.gatehouse.common.db.PersonSecrets.SealedSecret;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.common.directory.TestPeople;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.mail.TestMailServer;
import dev.gatehouse.common.mail.TestMailServer.Received;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** A whole node with a real directory and mail server: a link sets a password, people are told, and all about a person is erased. */
@Timeout(120)
final class MailedPasswordTest {

  private static final Pattern LINK = Pattern.compile("http://\\S+/password/reset\\?token=\\S+");
  private static final List<String> MAY_SET_PASSWORDS =
      List.of("access to attrs=userPassword by dn.exact=" + TestPeople.SERVICE + " write by self write by anonymous auth by * none");

  @TempDir Path folder;

  @Test
  void aForgottenPasswordIsSetAndThePersonErased() throws Exception {
    try (Slapd slapd = Slapd.start(MAY_SET_PASSWORDS, TestPeople.LDIF);
        TestMailServer mail = TestMailServer.plain()) {
      List<Integer> free = FreePorts.take(7);
      DemoPorts ports =
          new DemoPorts(free.get(0), free.get(1), free.get(2), free.get(3), free.get(4), free.get(5), slapd.port(), free.get(6));
      try (RunningNode node = RunningNode.start(configuration(ports, mail.port()), Map.of());
          PlainBrowser browser = new PlainBrowser()) {
        String realm = "http://idp.localhost:" + ports.idpHttp() + "/realms/demo";
        Shown form = browser.open(realm + "/password/forgotten");
        assertThat(form.status()).as(form.body()).isEqualTo(200);
        browser.submit(form, browser.form(form).with("username", "alice@example.org"));
        Shown page = browser.open(link(await(mail, 1)));
        Shown done = browser.submit(page, browser.form(page).with("new", "n3w-Password!").with("again", "n3w-Password!"));
        assertThat(done.body()).contains("Your password was set");
        assertThat(await(mail, 2).header("Subject")).contains("password");
        Shown login = browser.open(realm + "/login");
        Shown account = browser.submit(login, browser.form(login).with("username", "alice").with("password", "n3w-Password!"));
        assertThat(account.url().getPath()).isEqualTo("/realms/demo/account");
        assertThat(await(mail, 3).header("Subject")).contains("New sign-in");
        erased(node, ports);
      }
    }
  }

  private Path configuration(DemoPorts ports, int mailPort) throws Exception {
    Path config = folder.resolve("config");
    new DemoConfiguration(config).write(ports);
    Path file = config.resolve("gatehouse.yaml");
    String mail = "mail: {host: 127.0.0.1, port: " + mailPort + ", tls: none, from: no-reply@example.org}\n";
    Files.writeString(file, Files.readString(file).replaceAll("(?m)^    - .*certificate: .*\n", "") + mail);
    Path realm = config.resolve("realms/demo.yaml");
    String bind = "  bindDn: " + TestPeople.SERVICE + "\n  bindPassword: " + TestPeople.SERVICE_PASSWORD + "\n  mail: {}\n";
    Files.writeString(
        realm,
        Files.readString(realm)
            .replace("  base: dc=example,dc=org\n", "  base: dc=example,dc=org\n" + bind)
            .replaceFirst("(?m)^(  contracts:\n)", "$1    passwordReset: {}\n")
            .replaceAll("(?m)^  otherOrigins: .*\n", ""));
    return config;
  }

  private static Received await(TestMailServer mail, int count) {
    Eventually.holds(() -> mail.received().size() >= count);
    return mail.received().get(count - 1);
  }

  private static String link(Received mail) {
    assertThat(mail.to()).containsExactly("alice@example.org");
    Matcher link = LINK.matcher(mail.body().replace("=\r\n", "").replace("=3D", "="));
    assertThat(link.find()).as(mail.body()).isTrue();
    return link.group();
  }

  /** Gives the person one of everything that the database can hold. */
  private static void giveEverything(RunningNode node, String person, String identityProvider) {
    PersonId id = new PersonId(person);
    Instant now = Instant.now();
    node.get(Consents.class).give("demo", "https://app.example", id, Set.of("mail"));
    node.get(SecondFactors.class).add("demo", id, new Factor("f", "Phone", 6, new byte[] {1}, now, Optional.empty()), 5);
    node.get(SecondFactors.class).keepRecoveryCodes("demo", id, Set.of("digest"));
    node.get(SecondFactors.class).confirm("demo", Optional.of(id), now);
    node.get(PersistentNameIds.class).findOrCreate("demo", "https://app.example", id, () -> "name");
    node.get(PasswordResets.class).put("demo", new PasswordReset(id, "digest", now, now.plusSeconds(600), ""));
    node.get(PersonSecrets.class)
        .put("demo", new PersonId(identityProvider + "!alice"), new SealedSecret("shop", "password", new byte[] {1}, now));
    node.get(MailOutbox.class)
        .add(new Waiting("id", "demo", Optional.of(id), "newDevice", new byte[] {1}, now, 0, now.plusSeconds(600)), 10);
  }

  /** Returns the columns of the database that mention one of the texts. */
  private static List<String> mentions(RunningNode node, String... texts) {
    JdbcClient jdbc = JdbcClient.create(node.get(Database.class).dataSource());
    List<String> found = new ArrayList<>();
    jdbc.sql(
            "select table_name, column_name from information_schema.columns"
                + " where lower(table_schema) = 'public' and lower(data_type) like 'char%'")
        .query((row, number) -> List.of(row.getString(1), row.getString(2)))
        .list()
        .forEach(
            column -> {
              for (String text : texts) {
                String sql = "select count(*) from \"" + column.get(0) + "\" where \"" + column.get(1) + "\" like ?";
                if (jdbc.sql(sql).param("%" + text + "%").query(Integer.class).single() > 0) {
                  found.add(column + " " + text);
                }
              }
            });
    return found;
  }

  private void erased(RunningNode node, DemoPorts ports) throws Exception {
    AdministratorKeys keys = new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom());
    Creation made =
        keys.create("privacy", List.of(AdministratorGrant.parse("admin@demo")), Optional.empty());
    String key = ((Creation.Created) made).secret();
    URI address = URI.create("http://127.0.0.1:" + ports.admin() + "/admin/v1/realms/demo/person-data?person=alice");
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Authorization", "Bearer " + key);
      HttpResponse<String> exported = http.send(request.GET().build(), HttpResponse.BodyHandlers.ofString());
      assertThat(exported.statusCode()).as(exported.body()).isEqualTo(200);
      assertThat(exported.body()).contains("alice@example.org", "\"devices\"", "\"sessions\"");
      String person = new JsonMapper().readTree(exported.body()).get("person").asString();
      String provider = "http://idp.localhost:" + ports.idpHttp() + "/realms/demo";
      giveEverything(node, person, provider);
      assertThat(mentions(node, person, provider + "!alice")).hasSizeGreaterThan(6);
      HttpResponse<String> erased = http.send(request.DELETE().build(), HttpResponse.BodyHandlers.ofString());
      assertThat(erased.body())
          .contains(
              "\"sessions\":1", "\"devices\":1", "\"consents\":1", "\"secondFactors\":1", "\"federation\":1",
              "\"appSecrets\":1", "\"passwordResets\":1", "\"waitingMails\":");
      assertThat(mentions(node, person, provider + "!alice")).isEmpty();
      HttpResponse<String> again = http.send(request.DELETE().build(), HttpResponse.BodyHandlers.ofString());
      assertThat(again.body()).contains("\"removed\":{}");
    }
  }
}
