package dev.gatehouse.perf.server;

import dev.gatehouse.perf.data.LdifGenerator;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.data.Progress;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** OpenLDAP's slapd with a generated directory, as an ordinary process. */
public final class SlapdServer {

  private static final Path SLAPADD = Path.of("/usr/sbin/slapadd");

  private SlapdServer() {}

  /** Loads N people with slapadd into {@code work/slapd} and starts slapd there. */
  public static ServerProcess start(Path work, int people) throws IOException, InterruptedException {
    return start(work, people, false);
  }

  /** @param memberOf whether people's entries have the DNs of their groups, too, as the overlay {@code memberof} would maintain them */
  public static ServerProcess start(Path work, int people, boolean memberOf) throws IOException, InterruptedException {
    if (!Files.isExecutable(SLAPADD)) {
      throw new IOException(SLAPADD + " is missing: install OpenLDAP's server (Debian: apt-get install slapd)");
    }
    Path directory = Files.createDirectories(work.resolve("slapd"));
    Path data = Files.createDirectories(directory.resolve("data"));
    Path config = directory.resolve("slapd.conf");
    Files.writeString(config, configuration(directory, data, people, memberOf));
    load(directory, config, people, memberOf);
    int port = FreePorts.take();
    String url = "ldap://127.0.0.1:" + port;
    List<String> command = List.of("/usr/sbin/slapd", "-d", "0", "-f", config.toString(), "-h", url);
    return ServerProcess.start("slapd", directory, Map.of(), command, port).awaitPort();
  }

  private static void load(Path directory, Path config, int people, boolean memberOf) throws IOException, InterruptedException {
    Process slapadd =
        new ProcessBuilder(SLAPADD.toString(), "-q", "-f", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("slapadd.log").toFile())
            .start();
    try (OutputStream in = new BufferedOutputStream(slapadd.getOutputStream(), 1 << 16)) {
      new LdifGenerator(people, memberOf, new Progress("people loaded", people, System.err)).write(in);
    }
    if (slapadd.waitFor() != 0) {
      throw new IOException("slapadd failed:\n" + Files.readString(directory.resolve("slapadd.log")));
    }
  }

  private static String configuration(Path directory, Path data, int people, boolean memberOf) {
    // 6 KB per person is several times the size of an entry and its index; LMDB maps this much address space, not memory.
    long mapBytes = Math.max(1L << 28, people * 6_000L);
    return """
        include /etc/ldap/schema/core.schema
        include /etc/ldap/schema/cosine.schema
        include /etc/ldap/schema/inetorgperson.schema
        modulepath /usr/lib/ldap
        moduleload back_mdb
        %5$s
        pidfile %1$s/slapd.pid
        sortvals member
        threads 4
        database mdb
        suffix "%2$s"
        rootdn "cn=admin,%2$s"
        rootpw admin
        directory %3$s
        maxsize %4$d
        # Synchronisations read everybody, in pages.
        limits * size.prtotal=unlimited
        dbnosync
        index objectClass eq
        index uid eq
        index member eq
        index entryUUID eq
        access to attrs=userPassword by anonymous auth by self write
        access to * by * read
        """
        .formatted(
            directory,
            People.SUFFIX,
            data,
            mapBytes,
            // The module brings the attribute's definition.
            memberOf ? "moduleload memberof" : "# The attribute memberOf is not defined.");
  }
}
