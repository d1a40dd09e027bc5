package dev.gatehouse.common.revision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.db.Revision.StoredSecret;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;

/** A configuration in the database is imported once, and then changed by whole revisions only. */
class StoredRealmsTest {

  private static final Instant NOW = Instant.parse("2026-11-23T16:00:00Z");
  private static final SigningKey RSA = SamlFixtures.idpKey();
  private static final String KEY = pem("PRIVATE KEY", RSA.privateKey().getEncoded());
  private static final String CERTIFICATE = pem("CERTIFICATE", encoded());
  private static final String DEMO = "realms/demo.yaml";
  private static final String REALM =
      """
      # The realm of the tests.
      keys:
        privateKey: ../tls/realm.key # made by openssl
        certificate: ../tls/realm.pem
      idp:
        publicUrl: http://idp.localhost:8080
      sp:
        publicUrl: http://app.localhost:8000
      directory:
        urls: ${LDAP_URL}
        base: dc=example,dc=org
        bindDn: cn=gatehouse,dc=example,dc=org
        bindPassword: ${LDAP_PASSWORD}
      partners:
        - entityId: http://idp.localhost:8080/realms/demo
      clients:
        - {clientId: web, secret: "a secret of thirty characters!", redirectUris: ["https://web.example.org/callback"]}
      routes:
        - path: /
          upstream: http://127.0.0.1:9000
          errorPages: {404: ../pages/missing.html}
      """;

  private static byte[] encoded() {
    try {
      return RSA.certificate().getEncoded();
    } catch (CertificateEncodingException e) {
      throw new AssertionError(e);
    }
  }

  private static String pem(String type, byte[] content) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  @TempDir Path folder;
  private Path config;
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final Database database = Database.inMemory();
  private Instant clock = NOW;
  private final RevisionStore store = new RevisionStore(database, SealingKey.inMemory(new SecureRandom()), () -> clock);

  @BeforeEach
  void write() throws IOException {
    config = folder.resolve("config");
    write("gatehouse.yaml", "configuration: {source: database}\ndata: ../data\n");
    write(DEMO, REALM);
    write("tls/realm.key", KEY);
    write("tls/realm.pem", CERTIFICATE);
    write("pages/missing.html", "<!DOCTYPE html><title>Missing</title><p>Nothing is here.</p>");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void write(String name, String text) throws IOException {
    Path file = config.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private StoredRealms open() throws ConfigurationInvalid {
    ConfigurationFiles files =
        new ConfigurationFiles(config, Map.of("LDAP_URL", "ldap://localhost:10389", "LDAP_PASSWORD", "hunter22"));
    Node node = files.loadNode().node();
    return StoredRealms.open(files, node, store, audit, () -> clock);
  }

  /** What one node lacks may come back: it goes on with the former revision until then. */
  @Test
  void aRevisionThatThisNodeLacksSomethingForIsTriedAgain() throws Exception {
    StoredRealms other = open();
    StoredRealms realms = open();
    String before = demo(realms).revision().value();
    AtomicBoolean isAway = new AtomicBoolean(true);
    AtomicInteger asked = new AtomicInteger();
    realms.inUse().require(
        (used, next, file) -> {
          asked.incrementAndGet();
          return isAway.get() ? List.of(new Problem(file, 0, "keys.pkcs11[0].label", "cannot be used", "insert the token")) : List.of();
        });
    assertThat(change(other, "http://127.0.0.1:9000", "http://127.0.0.1:9001")).isInstanceOf(Change.Applied.class);
    for (int i = 0; i < 5; i++) {
      realms.follow();
    }
    assertThat(realms.served()).isEqualTo(1);
    assertThat(demo(realms).revision().value()).isEqualTo(before);
    assertThat(asked).as("not at each look").hasValue(1);
    assertThat(realms.inUse().status().rejection()).isPresent();
    isAway.set(false);
    clock = clock.plusSeconds(10);
    realms.follow();
    assertThat(realms.served()).isEqualTo(2);
    assertThat(demo(realms).revision()).isEqualTo(demo(other).revision());
    assertThat(realms.inUse().status().rejection()).isEmpty();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Realm demo(StoredRealms realms) {
    return realms.inUse().find("demo").orElseThrow();
  }

  private String stored(long revision, String path) {
    return new String(Objects.requireNonNull(store.tree(revision).files().get(path)).content(), StandardCharsets.UTF_8);
  }

  private Change change(StoredRealms realms, String old, String replacement) {
    String text = stored(realms.number(), DEMO);
    assertThat(text).contains(old);
    return realms.apply(
        new ProposedChange(realms.number(), Map.of(DEMO, utf8(text.replace(old, replacement))), false, Map.of(), "ann", "a change", ChangeScope.all()));
  }

  @Test
  void theFilesAreImportedOnceWithSecretsByTheirNames() throws Exception {
    StoredRealms realms = open();
    assertThat(realms.number()).isEqualTo(1);
    assertThat(stored(1, DEMO))
        .isEqualTo(
            REALM
                .replace("../tls/realm.key", "{secret: demo.realm.key}")
                .replace("${LDAP_URL}", "\"ldap://localhost:10389\"")
                .replace("${LDAP_PASSWORD}", "{secret: LDAP_PASSWORD}")
                .replace("\"a secret of thirty characters!\"", "{secret: demo.web.secret}"));
    assertThat(store.secrets()).extracting(StoredSecret::name).containsExactly("LDAP_PASSWORD", "demo.realm.key", "demo.web.secret");
    assertThat(demo(realms).directory().orElseThrow().servers().toString()).contains("localhost", "10389");
    // The configuration beside gatehouse.yaml does not matter any more.
    write(DEMO, "nonsense");
    StoredRealms again = open();
    assertThat(again.number()).isEqualTo(1);
    assertThat(demo(again).revision()).isEqualTo(demo(realms).revision());
  }

  @Test
  void noRevisionShowsASecret() throws Exception {
    open();
    for (Revision.StoredFile file : store.files(1)) {
      String content = store.content(file).map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
      assertThat(content).as(file.path()).doesNotContain("hunter22", "thirty characters", "PRIVATE KEY");
    }
    assertThat(store.diff(0, 1).toString()).doesNotContain("hunter22", "thirty characters", "PRIVATE KEY");
  }

  @Test
  void aChangeIsARevisionAndTakesEffect() throws Exception {
    StoredRealms realms = open();
    Change change = change(realms, "127.0.0.1:9000", "127.0.0.1:9001");
    assertThat(change).isEqualTo(new Change.Applied(new Revision(2, "ann", NOW, "a change")));
    assertThat(demo(realms).gateway().routes().getFirst().toString()).contains("9001");
    assertThat(realms.number()).isEqualTo(2);
    assertThat(demo(open()).gateway().routes().getFirst().toString()).contains("9001");
  }

  @Test
  void aChangeForAnotherRevisionIsRefused() throws Exception {
    StoredRealms realms = open();
    change(realms, "127.0.0.1:9000", "127.0.0.1:9001");
    Change late = realms.apply(new ProposedChange(1, Map.of(DEMO, utf8(REALM)), false, Map.of(), "bob", "-", ChangeScope.all()));
    assertThat(late).isEqualTo(new Change.Conflict(2));
    assertThat(store.latest()).map(Revision::number).contains(2L);
  }

  @Test
  void nothingOfAWrongChangeIsStored() throws Exception {
    StoredRealms realms = open();
    String wrong = stored(1, DEMO).replace("path: /", "path: nothing");
    Change change =
        realms.apply(new ProposedChange(1, Map.of(DEMO, utf8(wrong)), false, Map.of("NEW", utf8("new secret")), "ann", "-", ChangeScope.all()));
    assertThat(change).isInstanceOfSatisfying(Change.Invalid.class, invalid -> assertThat(invalid.problems()).extracting(Problem::key).contains("routes[0].path"));
    assertThat(realms.number()).isEqualTo(1);
    assertThat(store.secrets()).extracting(StoredSecret::name).doesNotContain("NEW");
  }

  @Test
  void noChangeReadsTheDiskOrTheEnvironment() throws Exception {
    StoredRealms realms = open();
    Path outside = Files.writeString(folder.resolve("outside.html"), "<p>Outside</p>");
    assertThat(change(realms, "../pages/missing.html", outside.toString())).isInstanceOf(Change.Invalid.class);
    assertThat(change(realms, "127.0.0.1:9000", "${LDAP_PASSWORD}:9000")).isInstanceOf(Change.Invalid.class);
    assertThat(change(realms, "../pages/missing.html", "../secrets/LDAP_PASSWORD")).isInstanceOf(Change.Invalid.class);
    assertThat(change(realms, "../pages/missing.html", "{secret: LDAP_PASSWORD}")).isInstanceOf(Change.Invalid.class);
    assertThat(change(realms, "{secret: LDAP_PASSWORD}", "hunter23")).isInstanceOf(Change.Invalid.class);
    assertThat(change(realms, "base: dc=example,dc=org", "base: {secret: LDAP_PASSWORD}")).isInstanceOf(Change.Invalid.class);
    assertThat(change(realms, "{secret: LDAP_PASSWORD}", "{secret: ../realms/demo.yaml}")).isInstanceOf(Change.Invalid.class);
    assertThat(change(realms, "{secret: LDAP_PASSWORD}", "{secret: UNKNOWN}")).isInstanceOf(Change.Invalid.class);
    Map<String, byte[]> asFile = Map.of("secrets/LDAP_PASSWORD", utf8("other"));
    assertThat(realms.apply(new ProposedChange(1, asFile, false, Map.of(), "ann", "-", ChangeScope.all()))).isInstanceOf(Change.Invalid.class);
    Map<String, byte[]> inTheNodesFolder = Map.of(".contents/x.html", utf8("<p>other</p>"));
    assertThat(realms.apply(new ProposedChange(1, inTheNodesFolder, false, Map.of(), "ann", "-", ChangeScope.all()))).isInstanceOf(Change.Invalid.class);
    Map<String, byte[]> key = new TreeMap<>(Map.of("tls/realm.pem", utf8(CERTIFICATE + KEY)));
    assertThat(realms.apply(new ProposedChange(1, key, false, Map.of(), "ann", "-", ChangeScope.all()))).isInstanceOf(Change.Invalid.class);
    assertThat(realms.number()).isEqualTo(1);
    assertThat(realms.propose("demo", stored(1, DEMO), ChangeScope.all()).problems()).isEmpty();
    assertThat(realms.propose("demo", stored(1, DEMO).replace("127.0.0.1:9000", "${LDAP_PASSWORD}:9000"), ChangeScope.all()).problems()).isNotEmpty();
  }

  /** Else whoever may propose fills the disk, and proposed secrets stay there. */
  @Test
  void whatIsOnlyProposedLeavesNothingOnTheDisk() throws Exception {
    StoredRealms realms = open();
    Path contents = realms.folder().resolve(".contents");
    List<Path> before = files(contents);
    assertThat(before).isNotEmpty();
    String file = "tls/realm.pem";
    for (int i = 0; i < 3; i++) {
      Map<String, byte[]> other = Map.of(file, utf8("# " + i + "\n" + CERTIFICATE));
      Map<String, byte[]> secrets = Map.of("NEW", utf8("proposed " + i));
      assertThat(realms.plan(new ProposedChange(1, other, false, secrets, "ann", "-", ChangeScope.all())).problems()).isEmpty();
      assertThat(files(contents)).isEqualTo(before);
      ProposedChange late = new ProposedChange(7, other, false, secrets, "ann", "-", ChangeScope.all());
      assertThat(realms.apply(late)).isInstanceOf(Change.Conflict.class);
    }
    String invalid = stored(1, DEMO) + "nonsense: 1\n";
    Map<String, byte[]> both = Map.of(file, utf8("# x\n" + CERTIFICATE), DEMO, utf8(invalid));
    ProposedChange wrong = new ProposedChange(1, both, false, Map.of(), "ann", "-", ChangeScope.all());
    assertThat(realms.apply(wrong)).isInstanceOf(Change.Invalid.class);
    assertThat(files(contents)).isEqualTo(before);
    Map<String, byte[]> used = Map.of(file, utf8("# used\n" + CERTIFICATE));
    ProposedChange right = new ProposedChange(1, used, false, Map.of(), "ann", "-", ChangeScope.all());
    assertThat(realms.apply(right)).isInstanceOf(Change.Applied.class);
    assertThat(files(contents)).containsAll(before).hasSize(before.size() + 1);
    realms.reload();
    assertThat(((KeyConfig.KeyFiles.Pem) demo(realms).keys().files().orElseThrow()).certificate()).hasContent("# used\n" + CERTIFICATE);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }

  @Test
  void aRollbackKeepsPresentSecrets() throws Exception {
    StoredRealms realms = open();
    change(realms, "127.0.0.1:9000", "127.0.0.1:9001");
    assertThat(realms.keepSecret("LDAP_PASSWORD", utf8("hunter23"), "bob", ChangeScope.all())).isEqualTo(new Change.Applied(new Revision(3, "bob", NOW, "Secret LDAP_PASSWORD")));
    assertThat(demo(realms).directory().orElseThrow().bindPassword().orElseThrow().value()).isEqualTo("hunter23");
    assertThat(realms.rollBack(
            1, new ProposedChange(3, Map.of(), false, Map.of(), "ann", "back", ChangeScope.all()), ChangeScope.all(), files -> {})).isEqualTo(new Change.Applied(new Revision(4, "ann", NOW, "back")));
    assertThat(demo(realms).gateway().routes().getFirst().toString()).contains("9000");
    assertThat(demo(realms).directory().orElseThrow().bindPassword().orElseThrow().value()).isEqualTo("hunter23");
    assertThat(stored(4, DEMO)).isEqualTo(stored(1, DEMO));
  }

  @Test
  void aSecretThatIsInUseIsNotRemoved() throws Exception {
    StoredRealms realms = open();
    realms.keepSecret("spare", utf8("x"), "ann", ChangeScope.all());
    assertThat(realms.removeSecret("spare")).isEqualTo(StoredRealms.Removal.REMOVED);
    assertThat(realms.removeSecret("spare")).isEqualTo(StoredRealms.Removal.UNKNOWN);
    assertThat(realms.removeSecret("LDAP_PASSWORD")).isEqualTo(StoredRealms.Removal.IN_USE);
  }

  /** Otherwise no node could start any more. */
  @Test
  void aSecretThatAnotherNodeHasJustBroughtIntoUseIsNotRemoved() throws Exception {
    StoredRealms other = open();
    StoredRealms realms = open();
    other.keepSecret("spare", utf8("hunter24"), "ann", ChangeScope.all());
    assertThat(change(other, "{secret: LDAP_PASSWORD}", "{secret: spare}")).isInstanceOf(Change.Applied.class);
    assertThat(realms.served()).as("it has not looked yet").isEqualTo(1);
    assertThat(realms.removeSecret("spare")).isEqualTo(StoredRealms.Removal.IN_USE);
    realms.follow();
    assertThat(demo(realms).directory().orElseThrow().bindPassword().orElseThrow().value()).isEqualTo("hunter24");
  }

  @Test
  void aSecretThatCannotBeReplacedKeepsItsValue() {
    store.keepSecret("spare", utf8("old"), "ann");
    String tooLong = "a".repeat(201);
    assertThatThrownBy(() -> store.keepSecret("spare", utf8("new"), tooLong)).isInstanceOf(DataAccessException.class);
    assertThat(store.secretFiles()).containsExactly(entry(FileTree.secret("spare"), new FileTree.File(utf8("old"), true)));
  }

  @Test
  void keysAreInFilesOfTheirOwnThatOnlyTheNodeReads() throws Exception {
    StoredRealms realms = open();
    KeyConfig.KeyFiles.Pem pem = (KeyConfig.KeyFiles.Pem) demo(realms).keys().files().orElseThrow();
    assertThat(pem.privateKey()).hasContent(KEY).startsWith(folder.resolve("data/configuration"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(pem.privateKey()))).isEqualTo("rw-------");
    assertThat(folder.resolve("data/configuration/secrets/LDAP_PASSWORD")).hasContent("hunter22");
    // Commands read the copy of the revision in use.
    assertThat(new ConfigurationFiles(config, Map.of()).load().realms()).extracting(Realm::revision).containsExactly(demo(realms).revision());
  }

  @Test
  void aCopyThatSomebodyChangedIsWrittenAnew() throws Exception {
    open();
    Path copy = folder.resolve("data/configuration/realms/demo.yaml");
    Files.writeString(copy, "nonsense");
    Files.writeString(folder.resolve("data/configuration/realms/evil.yaml"), REALM);
    StoredRealms realms = open();
    assertThat(realms.inUse().all()).hasSize(1);
    assertThat(copy).hasContent(stored(1, DEMO));
    assertThat(folder.resolve("data/configuration/realms/evil.yaml")).doesNotExist();
  }

  @Test
  void aCopyThatCannotBeWrittenDoesNotFailAChange() throws Exception {
    StoredRealms realms = open();
    Path copy = folder.resolve("data/configuration/realms/demo.yaml");
    Files.delete(copy);
    Files.createDirectories(copy.resolve("in-the-way"));
    assertThat(change(realms, "127.0.0.1:9000", "127.0.0.1:9001")).isInstanceOf(Change.Applied.class);
    assertThat(demo(realms).gateway().routes().getFirst().toString()).contains("9001");
    assertThat(realms.number()).isEqualTo(2);
  }

  @Test
  void aChangeThatCannotBeAuditedDoesNotHappen() throws Exception {
    StoredRealms realms = open();
    audit.breakDown(true);
    assertThat(change(realms, "127.0.0.1:9000", "127.0.0.1:9001")).isInstanceOf(Change.Invalid.class);
    assertThat(realms.number()).isEqualTo(1);
    assertThat(demo(realms).gateway().routes().getFirst().toString()).contains("9000");
  }

  @Test
  void aChangeThatCannotBeStoredDoesNotTakeEffect() throws Exception {
    StoredRealms realms = open();
    database.close();
    assertThatThrownBy(() -> realms.apply(new ProposedChange(1, Map.of(DEMO, utf8(REALM)), false, Map.of(), "ann", "-", ChangeScope.all())))
        .isInstanceOf(RuntimeException.class);
    assertThat(demo(realms).gateway().routes().getFirst().toString()).contains("9000");
  }

  @Test
  void wrongFilesAreNotImported() throws Exception {
    write(DEMO, REALM.replace("path: /", "path: nothing"));
    assertThatThrownBy(this::open).isInstanceOfSatisfying(ConfigurationInvalid.class, e -> assertThat(e.problems()).extracting(Problem::key).isEqualTo(List.of("routes[0].path")));
    assertThat(store.latest()).isEmpty();
  }

  @Test
  void filesAreImportedAgainWhereTheyDifferAndNobodyChangedThem() throws Exception {
    StoredRealms realms = open();
    List<StoredSecret> secrets = store.secrets();
    assertThat(realms.importAgain(imported())).as("the same files").isEqualTo(new Change.Unchanged(1));
    assertThat(store.secrets()).as("not written again").isEqualTo(secrets);
    write("pages/missing.html", "<!DOCTYPE html><title>Missing</title><p>Another page.</p>");
    assertThat(realms.importAgain(imported())).isInstanceOf(Change.Applied.class);
    assertThat(stored(2, "pages/missing.html")).contains("Another page.");
    assertThat(change(realms, "path: /", "path: /other/")).isInstanceOf(Change.Applied.class);
    assertThat(realms.importAgain(imported())).as("an administrator changed it").isEqualTo(new Change.Unchanged(3));
  }

  private ImportedFiles imported() throws ConfigurationInvalid {
    clock = NOW.plusSeconds(60);
    return ImportedFiles.of(
        new ConfigurationFiles(config, Map.of("LDAP_URL", "ldap://localhost:10389", "LDAP_PASSWORD", "hunter22")));
  }
}
