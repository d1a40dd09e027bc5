package dev.gatehouse.gateway.demo.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.gateway.demo.nodes.OwnProcess.End;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server of the demo that somebody has broken into could do at the demo's next start, if that is root's. */
class ServerAccountTest {

  @TempDir private Path demo;

  /** The folder belongs to the server, which can put links in the place of files. */
  @Test
  void linksOfTheServerAreNotFollowed() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root");
    Files.setPosixFilePermissions(demo, PosixFilePermissions.fromString("rwxr-xr-x"));
    ServerAccount account = new ServerAccount(Optional.of("daemon"), Optional.empty());
    Path victim = Files.writeString(demo.resolve("victim"), "mine");
    Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-r--r--"));
    Path folder = Files.createDirectories(demo.resolve("server"));
    Files.createSymbolicLink(folder.resolve("server.conf"), victim);
    account.folder(folder);

    account.write(folder.resolve("server.conf"), "ours");

    assertThat(victim).hasContent("mine");
    assertThat(Files.getOwner(victim).getName()).isEqualTo("root");
    assertThat(Files.getPosixFilePermissions(victim)).isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(Files.isSymbolicLink(folder.resolve("server.conf"))).isFalse();
    assertThat(folder.resolve("server.conf")).hasContent("ours");
    assertThat(ServerAccount.log(folder).getParent()).as("a folder of root").isEqualTo(demo);
  }

  @Test
  void aServerBelowAClosedFolderSeesItsOwnAndGetsNoCapability() {
    Path folder = Path.of("/root/demo/postgres");
    ServerAccount account = new ServerAccount(Optional.of("postgres"), Optional.of(folder));
    assertThat(account.seen(folder.resolve("cluster"))).isEqualTo(Path.of("/mnt/cluster"));
    assertThat(account.command(End.INT, List.of("postgres")))
        .containsSubsequence("unshare", "--mount", "/root/demo/postgres", "setpriv", "--reuid=postgres", "--inh-caps=-all", "postgres")
        .noneMatch(word -> word.contains("dac_read_search"));
  }
}
