package dev.gatehouse.perf.otp;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Document;
import dev.gatehouse.common.realm.otp.RealmDocument;
import dev.gatehouse.perf.gateway.Certificates;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;

/**
 * Two nodes that trust each other: an agent of one asks about people whose tokens are at the other.
 *
 * @param visited with the processes of both, because the work is shared
 */
record TwoRealms(OtpServer home, OtpServer visited) implements AutoCloseable {

  static final String NAME = "Two realms, PIN hash aside";
  static final String HOME = "home.example";
  private static final String VISITED = "visited.example";

  static TwoRealms start(Build patched, String name, Path directory, ServerProcess slapd, int people) throws IOException, InterruptedException {
    Path there = Files.createDirectories(directory.resolve("home"));
    Path here = Files.createDirectories(directory.resolve("visited"));
    Certificates homeKey = Certificates.p256(Files.createDirectories(directory.resolve("home-key")));
    Certificates visitedKey = Certificates.p256(Files.createDirectories(directory.resolve("visited-key")));
    OtpServer.Ports homePorts = new OtpServer.Ports(FreePorts.take(), FreePorts.take());
    OtpServer.Ports visitedPorts = new OtpServer.Ports(FreePorts.take(), FreePorts.take());
    // Nothing connects from the home to the visited realm.
    Document ofVisited = document(VISITED, visitedPorts, visitedKey, visitedKey);
    OtpServer home = OtpServer.start(patched, name, there, slapd, people, setting(homePorts, trust(HOME, homeKey, VISITED, ofVisited)));
    Document ofHome = document(HOME, homePorts, homeKey, new Certificates(there.resolve("p256.crt"), there.resolve("p256.key")));
    OtpServer alone = OtpServer.start(patched, name, here, slapd, 0, setting(visitedPorts, trust(VISITED, visitedKey, HOME, ofHome)));
    Server both = new Server(name, List.of(alone.node().process(), home.node().process()));
    return new TwoRealms(home, new OtpServer(both, alone.node(), alone.ports(), alone.directory(), people, home.settled()));
  }

  private static OtpServer.Setting setting(OtpServer.Ports ports, OtpServer.Trust trust) {
    return new OtpServer.Setting(OtpPeople.PinHash.ASIDE, ports, trust, "");
  }

  private static Document document(String suffix, OtpServer.Ports ports, Certificates key, Certificates server) throws IOException {
    URI url = URI.create("https://127.0.0.1:" + ports.certificates() + "/realms/" + OtpPeople.REALM + "/otp/v1");
    return new Document(List.of(suffix), url, read(key), read(server));
  }

  private static List<X509Certificate> read(Certificates files) throws IOException {
    try {
      return Pem.certificates(Files.readAllBytes(files.certificate()));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static OtpServer.Trust trust(String ours, Certificates key, String theirs, Document document) throws IOException {
    String section =
        """
        otp:
          visitors:
            suffixes: [%s]
            certificate: otp.pem
            key: otp.key
            serverCa: otp.pem
            trusts:
              - {document: other.json, suffixes: [%s], perSecond: 100000}
        """
            .formatted(ours, theirs);
    return new OtpServer.Trust(
        section,
        Map.of(
            "otp.pem", Files.readString(key.certificate()),
            "otp.key", Files.readString(key.privateKey()),
            "other.json", new String(RealmDocument.write(document), StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    visited.close();
    home.close();
  }
}
