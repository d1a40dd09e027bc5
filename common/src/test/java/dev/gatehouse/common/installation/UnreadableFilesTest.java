package dev.gatehouse.common.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.key.KeyManifest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of the state that cannot be inspected or read are not taken for missing ones. */
@Timeout(120)
class UnreadableFilesTest {

  @TempDir Path folder;

  @Test
  void refusesFilesThatCannotBeLookedAt() throws IOException {
    for (String name : List.of("h2/gatehouse.mv.db", "rocksdb/CURRENT", "keys/installation", "audit/installation")) {
      Path data = folder.resolve(name.replace('/', '-'));
      Path file = data.resolve(name);
      Files.createDirectories(data.resolve(name.substring(0, name.indexOf('/'))));
      // A link to itself: nobody can inspect it.
      Files.createSymbolicLink(file, file);
      assertThatThrownBy(() -> new Installation(new StateFolders(data, data.resolve("audit")), new SecureRandom()).requireFiles())
          .as(name)
          .isInstanceOf(FileUnreadable.class)
          .hasMessageContainingAll(file.toString(), "It is not taken for missing");
    }
  }

  @Test
  void doesNotForgetHowFarTheEnginesHadComeWhereThatCannotBeRead() throws IOException {
    Path file = folder.resolve(SyncedPositions.NAME);
    Files.createSymbolicLink(file, file);
    assertThatThrownBy(() -> new SyncedPositions(folder).read()).isInstanceOf(FileUnreadable.class);
  }

  @Test
  void countsNoKeyAsLostThatCannotBeLookedAt() throws IOException {
    Files.writeString(folder.resolve("manifest"), "sealing\t-\n");
    Path file = folder.resolve("sealing");
    Files.createSymbolicLink(file, file);
    KeyManifest manifest = new KeyManifest(folder);
    assertThatThrownBy(manifest::problems).isInstanceOf(FileUnreadable.class);
    assertThatThrownBy(manifest::unusable).isInstanceOf(FileUnreadable.class);
  }

  @Test
  void takesARecordThatIsNoTextForDamaged() throws IOException {
    Path keys = Files.createDirectories(folder.resolve("keys"));
    Files.write(keys.resolve("installation"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThatThrownBy(() -> new Installation(new StateFolders(folder, folder.resolve("audit")), new SecureRandom()).requireFiles())
        .isInstanceOf(StoreDamaged.class)
        .hasMessageContaining("record of the installation that is damaged");
  }

  /** Runs as a user without permission, which root never is: in a process of the user nobody. */
  @Test
  void namesTheFileAndThePermissionThatIsMissing() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/usr/bin/setpriv")));
    Path data = folder.resolve("data");
    Files.createDirectories(data.resolve("rocksdb"));
    Files.writeString(data.resolve("rocksdb/CURRENT"), "MANIFEST-000001\n");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(data.resolve("rocksdb"), PosixFilePermissions.fromString("rwx------"));
    String said = asNobody(data);
    assertThat(said)
        .contains(data.resolve("rocksdb/CURRENT") + " cannot be opened", "user nobody", data.resolve("rocksdb") + " is rwx------ of root")
        .doesNotContain("is missing");
  }

  private static String asNobody(Path data) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"));
    command.addAll(JavaProcess.command(Start.class, "-Duser.name=nobody"));
    command.add(data.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return said;
    }
  }

  /** The first check of a start. */
  static final class Start {
    public static void main(String[] arguments) {
      Path data = Path.of(arguments[0]);
      try {
        new Installation(new StateFolders(data, data.resolve("audit")), new SecureRandom()).requireFiles();
        System.out.println("nothing was found");
      } catch (FileUnreadable | StoreDamaged e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void startsWhereNothingIsThere() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
    assertThatCode(() -> new Installation(new StateFolders(folder, folder.resolve("audit")), new SecureRandom()).requireFiles())
        .doesNotThrowAnyException();
  }
}
