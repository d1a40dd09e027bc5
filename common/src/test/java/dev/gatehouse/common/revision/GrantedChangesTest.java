package dev.gatehouse.common.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Document;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.ProposedFiles;
import dev.gatehouse.common.realm.otp.RealmDocument;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What administrators of one realm may change, thought of as attackers: the realm sales, beside the realm board. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrantedChangesTest {

  private static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-11-23T16:00:00Z"));
  private static final String SALES = "realms/sales.yaml";
  private static final ChangeScope SCOPE = new ChangeScope.OneRealm("sales");
  private static final String NODE =
      """
      configuration: {source: database}
      data: ../data
      roles: [sp, gateway]
      listeners:
        metrics: {}
      realms:
        sales:
          hosts: [sales.localhost, "*.shop.localhost", both.localhost, board.localhost]
          upstreams: ["127.0.0.1:9000", "apps.internal:8080", "*.sales.internal:80", "localhost:8081", 10.1.0.0/16, 127.0.0.0/8]
          outbound: ["https://*.partner.example", "https://login.example:8443", "http://127.0.0.1:8082", "ldaps://ldap.example"]
      """;
  private static final String PARTNER = "  - entityId: https://idp.partner.example\n";
  private static final String REALM =
      """
      sp:
        publicUrl: http://sales.localhost:8000
        identityProvider: https://idp.partner.example
      partners:
        - entityId: https://idp.partner.example
      providers:
        - {issuer: "https://login.example:8443", clientId: us, secret: {secret: sales.login}}
        - {issuer: "https://old.partner.example", clientId: us, secret: {secret: OLD}}
      routes:
        - path: /
          upstream: http://127.0.0.1:9000
          errorPages: {404: ../pages/shared.html}
      """;
  private static final String BOARD =
      """
      sp:
        publicUrl: http://board.localhost:8000
        otherOrigins: [http://minutes.localhost:8000]
        identityProvider: https://idp.board.example
      partners:
        - entityId: https://idp.board.example
      providers:
        - {issuer: "https://login.board.example", clientId: us, secret: {secret: BOARD}}
        - {issuer: "https://odd.board.example", clientId: us, secret: {secret: sales.odd}}
      routes:
        - path: /
          upstream: http://10.1.0.7:8080
          errorPages: {404: ../pages/board.html}
      """;

  private Path folder;
  private final Database database = Database.inMemory();
  private final RevisionStore store = new RevisionStore(database, SealingKey.inMemory(new SecureRandom()), NOW);
  private StoredRealms realms;

  @BeforeAll
  void open(@TempDir Path temporary) throws IOException, ConfigurationInvalid {
    folder = temporary;
    write("gatehouse.yaml", NODE);
    write(SALES, REALM);
    write("realms/board.yaml", BOARD);
    write("pages/shared.html", "<!DOCTYPE html><title>Missing</title><p>Nothing is here.</p>");
    write("pages/board.html", "<!DOCTYPE html><title>Missing</title><p>The board has nothing here.</p>");
    for (String name : List.of("sales.login", "OLD", "BOARD", "sales.odd")) {
      write("secrets/" + name, "the value of " + name);
    }
    ConfigurationFiles files = new ConfigurationFiles(folder.resolve("config"), Map.of());
    realms = StoredRealms.open(files, files.loadNode().node(), store, new RecordingAuditLog(), NOW);
  }

  @BeforeEach
  void asAtFirst() {
    Change back = realms.rollBack(
            1, new ProposedChange(realms.number(), Map.of(), false, Map.of(), "ops", "-", ChangeScope.all()), ChangeScope.all(), files -> {});
    assertThat(back).isInstanceOfAny(Change.Applied.class, Change.Unchanged.class);
  }

  @AfterAll
  void close() {
    database.close();
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve("config").resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The text in use: import gave the secrets names. */
  private String text() {
    return new String(Objects.requireNonNull(store.tree(realms.number()).files().get(SALES)).content(), StandardCharsets.UTF_8);
  }

  private List<Problem> problems(Map<String, String> files, Map<String, String> secrets) {
    Map<String, byte[]> contents = new TreeMap<>();
    files.forEach((name, text) -> contents.put(name, utf8(text)));
    Map<String, byte[]> values = new TreeMap<>();
    secrets.forEach((name, text) -> values.put(name, utf8(text)));
    ProposedChange change = new ProposedChange(realms.number(), contents, false, values, "mallory", "-", SCOPE);
    ProposedFiles.Plan plan = realms.plan(change);
    if (!plan.problems().isEmpty()) {
      long before = realms.number();
      assertThat(realms.apply(change)).isEqualTo(new Change.Invalid(plan.problems()));
      assertThat(realms.number()).isEqualTo(before);
    }
    return plan.problems();
  }

  private String refusal(String old, String replacement) {
    String text = text();
    assertThat(text).contains(old);
    List<Problem> problems = problems(Map.of(SALES, text.replace(old, replacement)), Map.of());
    assertThat(problems).isNotEmpty().allMatch(problem -> problem.file().endsWith(SALES));
    return shown(problems);
  }

  private static String shown(List<Problem> problems) {
    return problems.stream()
        .map(problem -> problem.key() + " " + problem.message() + " - " + problem.remedy())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void whatIsGrantedCanBeUsed() {
    String granted =
        text()
            .replace("http://127.0.0.1:9000", "http://apps.internal:8080/base")
            .replace("http://sales.localhost:8000", "http://both.localhost:8000\n  otherOrigins: [http://a.shop.localhost:8000]")
            + "  - {path: /two/, upstream: {servers: [\"http://10.1.2.3:7000\", {url: \"http://x.sales.internal\"}]}}\n"
            + "  - {path: /three/, upstream: none}\n";
    ProposedChange change = new ProposedChange(realms.number(), Map.of(SALES, utf8(granted)), false, Map.of(), "ann", "more", SCOPE);
    assertThat(realms.apply(change)).isInstanceOf(Change.Applied.class);
    assertThat(realms.inUse().find("sales").orElseThrow().gateway().routes()).hasSize(3);
    assertThat(realms.inUse().find("board")).isPresent();
  }

  @Test
  void aServerThatIsNotGrantedIsRefused() {
    for (String url :
        List.of(
            "http://10.2.0.1:8080", "http://apps.internal:8081", "http://apps.internal.:8080",
            "http://shop.sales.internal:8080", "http://sales.internal:80", "http://[::ffff:10.2.0.1]:80", "http://[::1]:9000",
            "http://user@apps.internal:8080", "http://apps.internal:8080@10.2.0.1:80", "http://ap\u00b2ps.internal:8080",
            "http://name.of.10.1.0.0.example:80", "http://169.254.169.254", "http://localhost:9000",
            "http://app.localhost:9000")) {
      assertThat(refusal("http://127.0.0.1:9000", "\"" + url + "\"")).contains("routes[0].upstream");
    }
  }

  @Test
  void theAdministrationIsNeverAServer() {
    for (String url :
        List.of(
            "http://127.0.0.1:8081", "http://localhost:8081", "http://LOCALHOST:8081", "http://127.0.0.1:8082",
            "http://[::ffff:127.0.0.1]:8081", "http://127.0.0.1:08081", "http://2130706433:8081", "http://127.1:8081", "http://0.0.0.0:8081",
            "http://[::]:8082")) {
      assertThat(refusal("http://127.0.0.1:9000", "\"" + url + "\""))
          .containsAnyOf("administration", "is no server");
    }
  }

  @Test
  void aServerOfAnotherRealmIsRefusedAlthoughItIsInAGrantedBlock() {
    for (String url :
        List.of(
            "http://10.1.0.7:8080", "http://[::ffff:10.1.0.7]:8080", "https://10.1.0.7:8080/minutes")) {
      assertThat(refusal("http://127.0.0.1:9000", "\"" + url + "\"")).contains("another realm").doesNotContain("board");
    }
  }

  @Test
  void aHostOfAnotherRealmOrOneThatIsNotGrantedIsRefused() {
    Map<String, String> origins =
        Map.of(
            "http://board.localhost:8000", "which belongs to another realm",
            "http://minutes.localhost:8000", "is no host that this realm is granted",
            "http://SHOP.localhost:8000", "is no host that this realm is granted",
            "http://sales.localhost.:8000", "is no host that this realm is granted",
            "http://evilshop.localhost:8000", "is no host that this realm is granted");
    origins.forEach(
        (origin, why) ->
            assertThat(refusal("  identityProvider:", "  otherOrigins: [\"" + origin + "\"]\n  identityProvider:"))
                .contains(why)
                .doesNotContain("realm board"));
  }

  @Test
  void aDestinationThatIsNotGrantedIsRefused() {
    for (String url :
        List.of(
            "https://partner.example", "https://evilpartner.example", "https://idp.partner.example:444", "http://127.0.0.1:8082",
            "https://partner.example.evil.example")) {
      assertThat(refusal(PARTNER, PARTNER + "  - entityId: " + url + "\n"))
          .contains("partners[1].metadata");
      assertThat(refusal("https://old.partner.example", url)).contains("providers[1].issuer");
      assertThat(refusal(PARTNER, "  - {entityId: https://idp.partner.example, metadata: {url: \"" + url + "/m\"}}\n"))
          .contains("partners[0].metadata.url");
    }
  }

  @Test
  void anotherRealmIsAskedOnlyWhereThisRealmMayConnect() {
    String trust = text() + "visitors: {trusts: [{document: sales/branch.json, suffixes: [branch.example]}]}\n";
    Map.of("https://evilpartner.example", true, "https://127.0.0.1:8082", true, "https://login.example:8443", false)
        .forEach(
            (url, refused) -> {
              List<X509Certificate> certificates = List.of(SamlFixtures.spKey().certificate());
              byte[] document = RealmDocument.write(new Document(List.of("branch.example"), URI.create(url + "/otp/v1"), certificates, certificates));
              String told = shown(problems(Map.of(SALES, trust, "realms/sales/branch.json", new String(document, StandardCharsets.UTF_8)), Map.of()));
              assertThat(told.contains("`" + url + "/otp/v1` is ")).as(told).isEqualTo(refused);
            });
  }

  @Test
  void everyProblemIsToldAtOnce() {
    String many =
        text()
            .replace("http://127.0.0.1:9000", "http://10.2.0.1")
            .replace("http://sales.localhost:8000", "http://minutes.localhost:8000")
            .replace("https://old.partner.example", "https://elsewhere.example");
    assertThat(problems(Map.of(SALES, many), Map.of()))
        .extracting(Problem::key)
        .contains("routes[0].upstream", "sp.publicUrl", "providers[1].issuer");
    assertThat(shown(problems(Map.of(SALES, many), Map.of()))).contains("granted are", "realms.NAME.upstreams in gatehouse.yaml");
  }

  /** The main attack: to name a secret of somebody else where its value is sent to oneself. */
  @Test
  void aSecretOfAnotherRealmIsNoSecret() {
    for (String name :
        List.of(
            "BOARD", "sales.odd", "board.login", "nothing", "../secrets/BOARD", "sales./BOARD")) {
      String refusal = refusal("{secret: OLD}", "{secret: \"" + name + "\"}");
      assertThat(refusal).contains("secret").doesNotContain("the value of");
    }
  }

  @Test
  void ownSecretsAndThoseInUseCanBeUsed() {
    assertThat(problems(Map.of(SALES, text().replace("{secret: OLD}", "{secret: sales.login}")), Map.of())).isEmpty();
    assertThat(problems(Map.of(SALES, text().replace("sales.login", "OLD")), Map.of())).isEmpty();
    assertThat(problems(Map.of(SALES, text().replace("{secret: OLD}", "{secret: sales.new}")), Map.of("sales.new", "x"))).isEmpty();
  }

  @Test
  void onlyOwnSecretsGetValues() {
    long before = realms.number();
    for (String name :
        List.of(
            "BOARD", "OLD", "board.new", "sales", "sales.odd")) {
      assertThat(shown(problems(Map.of(), Map.of(name, "mine")))).contains("secret");
      assertThat(realms.keepSecret(name, utf8("mine"), "mallory", SCOPE)).isInstanceOfAny(Change.Invalid.class, Change.Unchanged.class);
      assertThat(realms.number()).isEqualTo(before);
    }
  }

  @Test
  void anOwnSecretGetsAValueAtOnce() {
    assertThat(realms.keepSecret("sales.login", utf8("new"), "ann", SCOPE)).isInstanceOf(Change.Applied.class);
  }

  @Test
  void onlyOwnFilesAreWritten() {
    for (String path :
        List.of(
            "realms/board.yaml", "realms/board/x.html", "pages/board.html", "pages/shared.html", "secrets/sales.x",
            "realms/sales/../board.yaml", "realms/salesx.yaml", "gatehouse.yaml", "realms/new.yaml", ".contents/x", "/etc/passwd")) {
      assertThat(shown(problems(Map.of(path, "sp: {}"), Map.of()))).contains("files");
    }
  }

  @Test
  void anotherRealmsPageIsNotRead() {
    assertThat(refusal("../pages/shared.html", "../pages/board.html")).contains("cannot read the file");
    assertThat(refusal("../pages/shared.html", "../secrets/BOARD")).contains("cannot read the file");
    assertThat(refusal("../pages/shared.html", "board.yaml")).contains("cannot read the file");
    String own = text().replace("../pages/shared.html", "sales/own.html");
    assertThat(problems(Map.of(SALES, own, "realms/sales/own.html", "<p>own"), Map.of())).isEmpty();
  }

  @Test
  void noRealmIsRemovedOrAdded() {
    ProposedChange all = new ProposedChange(realms.number(), Map.of(SALES, utf8(text())), true, Map.of(), "mallory", "-", SCOPE);
    assertThat(realms.apply(all)).isInstanceOf(Change.Invalid.class);
    ProposedChange added =
        new ProposedChange(realms.number(), Map.of("realms/new.yaml", utf8(text())), false, Map.of(), "mallory", "-", new ChangeScope.OneRealm("new"));
    assertThat(realms.apply(added)).isInstanceOf(Change.Invalid.class);
    assertThat(realms.inUse().all()).hasSize(2);
  }

  @Test
  void withoutAGrantNothingIsPermitted() {
    String board = new String(Objects.requireNonNull(store.tree(1).files().get("realms/board.yaml")).content(), StandardCharsets.UTF_8);
    Map<String, byte[]> files = Map.of("realms/board.yaml", utf8(board + "\n# a comment\n"));
    ChangeScope scope = new ChangeScope.OneRealm("board");
    ProposedChange own = new ProposedChange(realms.number(), files, false, Map.of(), "ann", "-", scope);
    assertThat(realms.plan(own).problems()).isNotEmpty().allMatch(problem -> problem.remedy().contains("nothing is granted"));
    ProposedChange byAll = new ProposedChange(realms.number(), files, false, Map.of(), "ops", "-", ChangeScope.all());
    assertThat(realms.apply(byAll)).isInstanceOf(Change.Applied.class);
  }

  @Test
  void onlyTheOwnFileIsBroughtBack() {
    String board = new String(Objects.requireNonNull(store.tree(1).files().get("realms/board.yaml")).content(), StandardCharsets.UTF_8);
    String changed = text().replace("127.0.0.1:9000", "apps.internal:8080");
    long first = realms.number();
    Map<String, byte[]> both = Map.of(SALES, utf8(changed), "realms/board.yaml", utf8(board.replace("10.1.0.7", "10.1.0.8")));
    assertThat(realms.apply(new ProposedChange(realms.number(), both, false, Map.of(), "ops", "-", ChangeScope.all()))).isInstanceOf(Change.Applied.class);
    assertThat(realms.rollBack(
            first, new ProposedChange(first + 1, Map.of(), false, Map.of(), "ann", "back", SCOPE), SCOPE, files -> {})).isInstanceOf(Change.Applied.class);
    assertThat(text()).contains("127.0.0.1:9000");
    assertThat(realms.inUse().find("board").orElseThrow().gateway().routes().getFirst().toString()).contains("10.1.0.8");
    assertThat(store.diff(first, first + 2).within(SCOPE).files()).isEmpty();
    assertThat(store.diff(first, first + 2).files()).hasSize(1);
  }

  @Test
  void aProposedTextIsLimitedToo() {
    assertThat(realms.propose("sales", text(), SCOPE).problems()).isEmpty();
    assertThat(realms.propose("sales", text().replace("{secret: OLD}", "{secret: BOARD}"), SCOPE).problems()).isNotEmpty();
    assertThat(realms.propose("sales", text().replace("127.0.0.1:9000", "10.1.0.7:8080"), SCOPE).problems()).isNotEmpty();
    assertThat(realms.propose("sales", text().replace("../pages/shared.html", "../pages/board.html"), SCOPE).problems()).isNotEmpty();
  }

  /** A grant that is taken away counts at once. */
  @Test
  void theGrantIsReadAtEachChange() throws IOException {
    assertThat(problems(Map.of(SALES, text() + "\n# a comment\n"), Map.of())).isEmpty();
    write("gatehouse.yaml", NODE.replaceAll("(?s)realms:.*", ""));
    assertThat(problems(Map.of(SALES, text() + "\n# a comment\n"), Map.of())).isNotEmpty();
    write("gatehouse.yaml", NODE + "nonsense: 1\n");
    assertThat(shown(problems(Map.of(SALES, text() + "\n# a comment\n"), Map.of()))).contains("cannot be used together").doesNotContain("nonsense");
    write("gatehouse.yaml", NODE);
  }
}
