package dev.gatehouse.gateway.interop;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Sites whose service provider is @node-saml/node-saml, as one Node.js process: {@code src/test/node/node-saml}. */
final class NodeSaml implements AutoCloseable {

  private static final NodePackage PROGRAM = new NodePackage("node-saml");

  /**
   * One site.
   *
   * @param encrypted whether its metadata offers a key for encryption
   * @param options of node-saml's, on top of what {@code server.js} sets
   */
  record Site(String address, String title, boolean encrypted, Map<String, Object> options) {}

  private final ServerProcess process;

  private NodeSaml(ServerProcess process) {
    this.process = process;
  }

  /** @param certificates of the identity provider's keys, base64 */
  static NodeSaml start(Path logs, int port, String idp, List<String> certificates, List<Site> sites)
      throws IOException, InterruptedException {
    Path installed = PROGRAM.install();
    List<Map<String, Object>> described = new ArrayList<>();
    for (Site site : sites) {
      SigningKey key = SamlFixtures.create(KeyAlgorithm.RSA_2048, site.address());
      described.add(
          Map.of(
              "address", site.address(),
              "port", port,
              "title", site.title(),
              "idp", idp,
              "idpCertificates", certificates,
              "privateKey", pem("PRIVATE KEY", key.privateKey().getEncoded()),
              "certificate", pem("CERTIFICATE", encoded(key)),
              "encrypted", site.encrypted(),
              "options", site.options()));
    }
    Path file = Files.write(logs.resolve("node-saml.json"), JsonMapper.shared().writeValueAsBytes(described));
    ServerProcess process =
        ServerProcess.start(
            "node-saml",
            logs,
            Map.of(),
            List.of("node", installed.resolve("server.js").toString(), file.toAbsolutePath().toString()));
    String last = "listening http://" + sites.getLast().address();
    return new NodeSaml(process.await(() -> process.output().contains(last), Duration.ofSeconds(60)));
  }

  private static String pem(String type, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
  }

  private static byte[] encoded(SigningKey key) {
    try {
      return key.certificate().getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Everything that the sites have said, refusals among it. */
  String output() {
    return process.output();
  }

  @Override
  public void close() {
    process.close();
  }
}
