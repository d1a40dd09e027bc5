package dev.gatehouse.common.realm.inuse;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent.ConfigurationChanged;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.ConfigurationFolder;
import dev.gatehouse.common.realm.inuse.RealmsInUse.Outcome;
import dev.gatehouse.common.realm.inuse.RealmsInUse.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;


/** Changes on disk are taken over completely within a second, or not at all. */
class FileRealmsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path path;
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private ConfigurationFolder folder;
  private FileRealms realms;

  @BeforeEach
  void open() throws ConfigurationInvalid {
    folder = ConfigurationFolder.minimal(path);
    realms = FileRealms.open(folder.files(), audit, InstantSource.system());
  }

  @AfterEach
  void close() {
    realms.close();
  }

  @Test
  void findsRealmsByNameAndOrigin() {
    assertThat(realms.inUse().find("demo")).map(Realm::name).contains("demo");
    assertThat(realms.inUse().find("other")).isEmpty();
    assertThat(realms.inUse().ofAppOrigin(new Origin("http", "app.localhost", 8000))).map(Realm::name).contains("demo");
    assertThat(realms.inUse().ofAppOrigin(new Origin("http", "app.localhost", 8001))).isEmpty();
    assertThat(realms.inUse().all()).hasSize(1);
  }

  @Test
  void aNodeWithAnInvalidConfigurationDoesNotStart() {
    folder.demo("idp: {}");

    assertThatThrownBy(() -> FileRealms.open(folder.files(), audit, InstantSource.system()))
        .isInstanceOfSatisfying(
            ConfigurationInvalid.class, e -> assertThat(e.problems()).hasSizeGreaterThanOrEqualTo(2));
  }

  /** The fastest of several, because a busy machine may hold up one of them. */
  @Test
  void aChangeCountsWithinASecond() {
    Duration fastest = SECOND.multipliedBy(100);
    for (int i = 0; i < 5 && fastest.compareTo(SECOND) > 0; i++) {
      String path = "/app" + i + "/";
      long begin = System.nanoTime();
      folder.demo("path: /\n", "path: " + path + "\n");
      Eventually.holds(() -> demo().gateway().routes().getFirst().match().path().equals(path));
      fastest = Duration.ofNanos(Math.min(fastest.toNanos(), System.nanoTime() - begin));
    }
    assertThat(fastest).isLessThan(SECOND);
  }

  @Test
  void aChangeCountsAndIsAudited() {
    Realm.Revision before = demo().revision();

    folder.demo("path: /\n", "path: /app/\n");

    Eventually.holds(() -> demo().gateway().routes().getFirst().match().path().equals("/app/"));
    assertThat(demo().revision()).isNotEqualTo(before);
    Eventually.holds(() -> realms.inUse().status().revisions().containsValue(demo().revision()));
    assertThat(realms.inUse().status().rejection()).isEmpty();
    assertThat(audit.events(ConfigurationChanged.class))
        .extracting(ConfigurationChanged::what, ConfigurationChanged::accepted, ConfigurationChanged::detail)
        .contains(
            org.assertj.core.groups.Tuple.tuple("realm demo", true, "at start"),
            org.assertj.core.groups.Tuple.tuple("realm demo", true, "was " + before));
  }

  @Test
  void anInvalidChangeIsRejectedWholeAndTheOldRevisionServesOn() {
    Realm before = demo();
    folder.write("realms/good.yaml", secondRealm("good"));
    folder.demo("path: /\n", "path: nowhere\n");

    Eventually.holds(() -> realms.inUse().status().rejection().isPresent());

    assertThat(demo()).isSameAs(before);
    assertThat(realms.inUse().find("good")).isEmpty();
    assertThat(realms.inUse().status().rejection().orElseThrow().problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.file()).isEqualTo(path.resolve("realms/demo.yaml"));
              assertThat(problem.key()).isEqualTo("routes[0].path");
            });
    Eventually.holds(() -> audit.events(ConfigurationChanged.class).stream().anyMatch(e -> !e.accepted()));
    assertThat(audit.events(ConfigurationChanged.class)).filteredOn(e -> !e.accepted()).hasSize(1);

    folder.demo(ConfigurationFolder.MINIMAL);
    Eventually.holds(() -> realms.inUse().find("good").isPresent());
    Eventually.holds(() -> realms.inUse().status().rejection().isEmpty());
  }

  @Test
  void realmsComeAndGo() throws IOException {
    folder.write("realms/other.yaml", secondRealm("other"));
    Eventually.holds(() -> realms.inUse().find("other").isPresent());

    Files.delete(path.resolve("realms/other.yaml"));
    Eventually.holds(() -> realms.inUse().find("other").isEmpty());
    assertThat(demo().name()).isEqualTo("demo");
  }

  @Test
  void aFileThatIsWrittenSlowlyIsNotTakenOverHalf() throws Exception {
    List<Integer> seen = new ArrayList<>();
    realms.inUse().onChange(all -> seen.add(all.iterator().next().gateway().routes().size()));
    String more = ConfigurationFolder.MINIMAL;
    try (OutputStream out = Files.newOutputStream(path.resolve("realms/demo.yaml"))) {
      out.write(more.getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < 10; i++) {
        // Every prefix is valid in itself.
        String route = "  - path: /more" + i + "/\n    upstream: http://127.0.0.1:9000\n";
        out.write(route.getBytes(StandardCharsets.UTF_8));
        out.flush();
        Thread.sleep(100);
      }
    }
    Eventually.holds(() -> demo().gateway().routes().size() == 11);
    assertThat(seen).containsExactly(1, 11);
  }

  @Test
  void anAtomicRenameAndASymbolicLinkCount() throws IOException {
    Path beside = Files.writeString(path.resolve("next"), ConfigurationFolder.MINIMAL.replace("path: /", "path: /a/"));
    Files.move(beside, path.resolve("realms/demo.yaml"), StandardCopyOption.ATOMIC_MOVE);
    Eventually.holds(() -> demo().gateway().routes().getFirst().match().path().equals("/a/"));

    Path target = Files.writeString(path.resolve("linked"), ConfigurationFolder.MINIMAL.replace("path: /", "path: /b/"));
    Path link = Files.createSymbolicLink(path.resolve("link"), target);
    Files.move(link, path.resolve("realms/demo.yaml"), StandardCopyOption.ATOMIC_MOVE);
    Eventually.holds(() -> demo().gateway().routes().getFirst().match().path().equals("/b/"));

    Files.writeString(target, ConfigurationFolder.MINIMAL.replace("path: /", "path: /c/"));
    Eventually.holds(() -> demo().gateway().routes().getFirst().match().path().equals("/c/"));
  }

  @Test
  void aFileThatTheRealmNamesCounts() {
    folder.write("realms/logo.svg", "<svg/>");
    folder.demo("idp:\n", "brand: {logo: logo.svg}\nidp:\n");
    Eventually.holds(() -> demo().brand().logo().isPresent());
    Realm before = demo();

    folder.write("realms/logo.svg", "<svg></svg>");

    Eventually.holds(() -> !demo().brand().equals(before.brand()));
    assertThat(demo().revision()).isNotEqualTo(before.revision());
  }

  @Test
  void aChangedNodeNeedsARestartAndACommentDoesNot() {
    folder.node("# a comment\n");
    assertThat(realms.reload()).isInstanceOf(Outcome.Unchanged.class);
    assertThat(realms.inUse().status().restartNeeded()).isFalse();

    folder.node("storage: volatile\n");
    assertThat(realms.reload()).isInstanceOf(Outcome.Unchanged.class);

    assertThat(realms.inUse().status().restartNeeded()).isTrue();
    assertThat(realms.inUse().node().storage()).isEqualTo(dev.gatehouse.common.node.Node.Storage.EMBEDDED);
    assertThat(audit.events(ConfigurationChanged.class))
        .anySatisfy(
            event -> {
              assertThat(event.what()).isEqualTo("gatehouse.yaml");
              assertThat(event.detail()).isEqualTo("needs a restart");
            });
  }

  @Test
  void reloadTellsAtOnceWhatItDid() {
    assertThat(realms.reload()).isInstanceOf(Outcome.Unchanged.class);

    folder.demo("path: /\n", "path: /now/\n");
    assertThat(realms.reload()).isEqualTo(new Outcome.Accepted(List.of("demo")));

    folder.demo("path: /\n", "path: /%2e/\n");
    assertThat(realms.reload())
        .isInstanceOfSatisfying(Outcome.Rejected.class, r -> assertThat(r.problems()).hasSize(1));
    assertThat(demo().gateway().routes().getFirst().match().path()).isEqualTo("/now/");
  }

  @Test
  void aChangeThatCannotBeAuditedIsNotTakenOver() {
    audit.breakDown(true);
    folder.demo("path: /\n", "path: /secret-change/\n");

    assertThat(realms.reload()).isInstanceOf(Outcome.Rejected.class);
    assertThat(demo().gateway().routes().getFirst().match().path()).isEqualTo("/");

    audit.breakDown(false);
    assertThat(realms.reload()).isInstanceOf(Outcome.Accepted.class);
  }

  @Test
  void listenersHearOfAChangeBeforeReadersSeeItAndAFaultOfOneDoesNotStopTheOthers() {
    List<String> heard = new ArrayList<>();
    realms.inUse().onChange(
        all -> {
          if (!all.iterator().next().gateway().routes().getFirst().match().path().equals("/")) {
            throw new IllegalStateException("the test's listener fails");
          }
        });
    realms.inUse().onChange(all -> heard.add(firstPath(all) + " while readers see " + firstPath(realms.inUse().all())));

    folder.demo("path: /\n", "path: /next/\n");
    realms.reload();

    assertThat(heard).containsExactly("/ while readers see /", "/next/ while readers see /");
    assertThat(firstPath(realms.inUse().all())).isEqualTo("/next/");
  }

  @Test
  void theSameContentGivesTheSameRevisionElsewhere(@TempDir Path elsewhere) {
    assertThat(ConfigurationFolder.minimal(elsewhere).realm().revision()).isEqualTo(demo().revision());
    assertThat(demo().revision().value()).matches("[0-9a-f]{12}");
  }

  @Test
  void filesThatStayTheSameLookTheSame() {
    folder.write("realms/logo.svg", "<svg/>").demo("idp:\n", "brand: {logo: logo.svg}\nidp:\n");
    ConfigurationFiles files = folder.files();
    ConfigurationFiles.Result result = files.read();

    assertThat(new FileStates(InstantSource.system()).of(files.withAllRealms(result.files().paths()))).isEqualTo(result.files().state());
  }

  @Test
  void statusIsAValueOfTheMoment() {
    Status before = realms.inUse().status();
    folder.demo("path: /\n", "path: /later/\n");
    realms.reload();

    assertThat(realms.inUse().status().acceptedAt()).isAfterOrEqualTo(before.acceptedAt());
    assertThat(before.revisions()).isNotEqualTo(realms.inUse().status().revisions());
  }

  private Realm demo() {
    return realms.inUse().find("demo").orElseThrow();
  }

  private static String firstPath(Collection<Realm> all) {
    return all.iterator().next().gateway().routes().getFirst().match().path();
  }

  private static String secondRealm(String name) {
    return ConfigurationFolder.MINIMAL.replace("realms/demo", "realms/" + name).replace("app.localhost", name + ".localhost");
  }
}
