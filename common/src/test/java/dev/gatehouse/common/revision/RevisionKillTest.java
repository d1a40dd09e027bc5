package dev.gatehouse.common.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.revision.StoredRealms.Change;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After kill -9 at any place of a change, the old revision is in use or the new one, whole, and the next change works. */
@Timeout(120)
class RevisionKillTest {

  @TempDir Path folder;

  @Test
  void aKillLeavesTheOldRevisionOrTheNewOne() throws Exception {
    Path first = installed();
    Path homes = Files.createDirectory(folder.resolve("homes"));
    for (KillPlace place : KillPlace.values()) {
      copy(first, homes.resolve(place.name()));
    }
    killed(homes);
    for (KillPlace place : KillPlace.values()) {
      isWhole(homes.resolve(place.name()), place);
    }
  }

  /** An installation whose first revision is in use. */
  private Path installed() throws Exception {
    Path home = folder.resolve("first");
    write(home.resolve("config/gatehouse.yaml"), "configuration: {source: database}\ndata: ../data\n");
    write(home.resolve("config/realms/demo.yaml"), ChangingProcess.realm("first"));
    write(home.resolve("config/pages/missing.html"), ChangingProcess.page("first"));
    write(home.resolve("config/secrets/LDAP_PASSWORD"), "first");
    try (Database database = Database.embedded(home.resolve("data"))) {
      assertThat(ChangingProcess.open(home, store(home, database), new RecordingAuditLog()).number()).isEqualTo(1);
    }
    return home;
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  private static RevisionStore store(Path home, Database database) {
    return new RevisionStore(database, new SealingKey(home.resolve("data"), new SecureRandom()), InstantSource.system());
  }

  /** Has a process change the installations, each until its place, and kills it. */
  private void killed(Path homes) throws Exception {
    Path error = folder.resolve("error");
    Process process = JavaProcess.of(ChangingProcess.class, homes.toString()).redirectError(error.toFile()).start();
    try (BufferedReader out = process.inputReader()) {
      Set<String> left = Stream.of(KillPlace.values()).map(place -> ChangingProcess.STOPPED + place).collect(Collectors.toSet());
      boolean reached = out.lines().anyMatch(line -> left.remove(line) && left.isEmpty());
      assertThat(reached).as("%s is left: %s", left, Files.readString(error)).isTrue();
      // SIGKILL: no shutdown hook, no flush.
      process.destroyForcibly();
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(128 + 9);
    } finally {
      process.destroyForcibly();
    }
  }

  private static void isWhole(Path home, KillPlace place) throws Exception {
    try (Database database = Database.embedded(home.resolve("data"))) {
      RevisionStore store = store(home, database);
      StoredRealms realms = ChangingProcess.open(home, store, new RecordingAuditLog());
      long number = place.isNew() ? 2 : 1;
      isInUse(realms, store, number, place.isNew() ? "second" : "first", place);
      Change next = realms.apply(ChangingProcess.change(number, "next"));
      assertThat(next).as("after %s", place).isInstanceOf(Change.Applied.class);
      isInUse(realms, store, number + 1, "next", place);
    }
  }

  private static void isInUse(StoredRealms realms, RevisionStore store, long number, String word, KillPlace place) throws IOException {
    assertThat(realms.number()).as("after %s", place).isEqualTo(number);
    Realm demo = realms.inUse().find("demo").orElseThrow();
    assertThat(demo.brand().displayName()).as("after %s", place).isEqualTo("The " + word + " realm");
    assertThat(demo.directory().flatMap(DirectoryConfig::bindPassword).orElseThrow().value()).as("after %s", place).isEqualTo(word);
    assertThat(Files.readString(realms.folder().resolve("pages/missing.html"))).as("after %s", place).isEqualTo(ChangingProcess.page(word));
    List<Long> numbers = store.before(Long.MAX_VALUE, 10).stream().map(Revision::number).toList().reversed();
    assertThat(numbers).as("after %s", place).isEqualTo(LongStream.rangeClosed(1, number).boxed().toList());
    for (long each : numbers) {
      SortedMap<String, byte[]> contents = store.contents(each);
      assertThat(contents).as("%d after %s", each, place).containsOnlyKeys("pages/missing.html", "realms/demo.yaml");
      String said = store.find(each).filter(revision -> each > 1).map(Revision::reason).orElse("first");
      assertThat(new String(contents.get("realms/demo.yaml"), StandardCharsets.UTF_8)).isEqualTo(ChangingProcess.realm(said));
    }
  }
}
