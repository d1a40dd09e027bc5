package dev.gatehouse.common.revision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.EmptiedDatabase;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.db.Revision.StoredFile;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.realm.yaml.FileTree.File;
import dev.gatehouse.common.revision.RevisionDiff.Change;
import dev.gatehouse.common.revision.RevisionDiff.FieldDiff;
import dev.gatehouse.common.revision.RevisionDiff.FileDiff;
import dev.gatehouse.common.revision.RevisionDiff.SubjectDiff;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Revisions are stored once, never change, and show no secrets. */
class RevisionStoreTest {

  private static final Instant NOW = Instant.parse("2026-11-23T16:00:00.123456Z");
  private static final String REALM =
      """
      # The demo; bindPassword: oldSecret1
      directory:
        urls: ldap://localhost
        bindPassword: hunter22
      partners:
        - entityId: https://wiki.example.org
          release: [uid, mail]
      clients:
        - {clientId: web, secret: "${WEB_SECRET}"}
      routes:
        - name: app
          path: /
          upstream: http://127.0.0.1:9000
      """;

  private final Database database = EmptiedDatabase.get();
  private final RevisionStore store =
      new RevisionStore(database, SealingKey.inMemory(new SecureRandom()), InstantSource.fixed(NOW));

  private static FileTree tree(Map<String, String> files) {
    return new FileTree(
        new TreeMap<>(
            files.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey,
                        e -> new File(e.getValue().getBytes(StandardCharsets.UTF_8), e.getKey().endsWith(".key"))))));
  }

  @Test
  void aRevisionIsStoredOnceAndInOrder() {
    FileTree first = tree(Map.of("realms/demo.yaml", REALM));
    assertThat(store.latest()).isEmpty();
    Revision one = store.add(first, "ann", "first").orElseThrow();
    assertThat(one).isEqualTo(new Revision(1, "ann", NOW, "first"));
    assertThat(store.add(first, "bob", "again")).isEmpty();
    Revision two = store.add(tree(Map.of("realms/demo.yaml", REALM + "# more\n")), "bob", "second").orElseThrow();
    Revision three = store.add(first, "bob", "back").orElseThrow();
    assertThat(store.latest()).contains(three);
    assertThat(store.find(2)).contains(two);
    assertThat(store.find(4)).isEmpty();
    assertThat(store.before(3, 5)).containsExactly(two, one);
    assertThat(store.before(Long.MAX_VALUE, 2)).containsExactly(three, two);
  }

  @Test
  void contentsComeBackExactlyAndAreStoredOnce() {
    store.add(tree(Map.of("realms/demo.yaml", REALM, "page.html", "<p>\u00e9</p>\r\n")), "ann", "");
    store.add(tree(Map.of("realms/demo.yaml", REALM, "page.html", "other")), "ann", "");
    StoredFile page = store.files(1).getFirst();
    assertThat(page.path()).isEqualTo("page.html");
    assertThat(store.content(page).map(bytes -> new String(bytes, StandardCharsets.UTF_8))).contains("<p>\u00e9</p>\r\n");
    assertThat(count("configuration_content")).isEqualTo(3);
  }

  @Test
  void theDatabaseHoldsNoContentInClearAndNoSecretFile() {
    store.add(tree(Map.of("realms/demo.yaml", REALM, "realm.key", "the key")), "ann", "");
    StoredFile key = store.files(1).getFirst();
    assertThat(key.path()).isEqualTo("realm.key");
    assertThat(key.isSecret()).isTrue();
    assertThat(store.content(key)).isEmpty();
    assertThat(count("configuration_content")).isEqualTo(1);
    byte[] sealed =
        JdbcClient.create(database.dataSource()).sql("select sealed_content from configuration_content").query(byte[].class).single();
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("hunter22", "wiki");
  }

  @Test
  void aDifferenceNamesPartnersClientsAndRoutesWithTheirFields() {
    store.add(tree(Map.of("realms/demo.yaml", REALM)), "ann", "");
    String changed =
        REALM
            .replace("release: [uid, mail]", "release: [uid]")
            .replace("    path: /\n", "    path: /app/\n")
            .replace("routes:\n", "routes:\n  - {name: new, path: /new/, upstream: \"http://127.0.0.1:9001\"}\n")
            .replace("clients:\n  - {clientId: web, secret: \"${WEB_SECRET}\"}\n", "");
    store.add(tree(Map.of("realms/demo.yaml", changed)), "ann", "");
    List<SubjectDiff> subjects = store.diff(1, 2).subjects();
    assertThat(subjects)
        .contains(
            new SubjectDiff(
                "demo", "partner", "https://wiki.example.org", Change.CHANGED,
                List.of(new FieldDiff("release", Optional.of("[uid, mail]"), Optional.of("[uid]")))),
            new SubjectDiff(
                "demo", "route", "app", Change.CHANGED,
                List.of(new FieldDiff("path", Optional.of("/"), Optional.of("/app/")))),
            new SubjectDiff(
                "demo", "client", "web", Change.REMOVED,
                List.of(
                    new FieldDiff("clientId", Optional.of("web"), Optional.empty()),
                    new FieldDiff("secret", Optional.of("${WEB_SECRET}"), Optional.empty()))));
    assertThat(subjects).filteredOn(s -> s.change() == Change.ADDED).extracting(SubjectDiff::name).containsExactly("new");
    assertThat(subjects).hasSize(4);
  }

  @Test
  void noDifferenceShowsASecret() {
    store.add(tree(Map.of("realms/demo.yaml", REALM, "realm.key", "key one")), "ann", "");
    String changed = REALM.replace("hunter22", "|\n    hunter23\n").replace("urls: ldap://localhost", "urls: ldap://other");
    store.add(tree(Map.of("realms/demo.yaml", changed, "realm.key", "key two")), "ann", "");
    RevisionDiff diff = store.diff(1, 2);
    assertThat(diff.toString()).doesNotContain("hunter2", "oldSecret1", "key one", "key two");
    assertThat(diff.subjects().getFirst().fields())
        .containsExactly(
            new FieldDiff("directory.bindPassword", Optional.of("(secret)"), Optional.of("(secret)")),
            new FieldDiff("directory.urls", Optional.of("ldap://localhost"), Optional.of("ldap://other")));
    assertThat(diff.files())
        .extracting(FileDiff::path, FileDiff::isSecret, file -> file.text().isPresent())
        .containsExactly(
            tuple("realm.key", true, false),
            tuple("realms/demo.yaml", false, true));
    assertThat(diff.files().getLast().text().orElseThrow())
        .contains("-  urls: ldap://localhost", "+  urls: ldap://other", "   bindPassword: \"***\"", " # The demo; bindPassword: ***");
  }

  @Test
  void aProposalIsComparedWithoutBeingStored() {
    store.add(tree(Map.of("realms/demo.yaml", REALM)), "ann", "");
    RevisionDiff diff = store.diff(1, tree(Map.of("realms/demo.yaml", REALM, "realms/other.yaml", "brand: {displayName: X}\n")));
    assertThat(diff.files()).extracting(FileDiff::path, FileDiff::change).containsExactly(tuple("realms/other.yaml", Change.ADDED));
    assertThat(diff.subjects()).extracting(SubjectDiff::realm).containsExactly("other");
    assertThat(store.latest()).map(Revision::number).contains(1L);
  }

  private long count(String table) {
    return JdbcClient.create(database.dataSource()).sql("select count(*) from " + table).query(Long.class).single();
  }
}
