package dev.gatehouse.gateway.interop;

import com.microsoft.playwright.Locator;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * A guild: our node is its OpenID provider, its hall a relying party made of openid-client, its library one of
 * Apache's, its shop one of Spring Security's. Configured by {@code src/test/resources/guild}; what the servers
 * write is in {@code target/guild}, in a folder for each.
 */
final class Guild implements AutoCloseable {

  private static final NodePackage HALL = new NodePackage("openid-client");

  private static final Path LOGS = Path.of("target/guild");

  private final List<Integer> ports = FreePorts.take(5);
  private final Servers servers = new Servers();
  private final SigningKey key = SamlFixtures.create(KeyAlgorithm.P_256, "keyed");

  private Optional<SpringShop> shop = Optional.empty();

  private Guild() {}

  /** With the node alone. @param data where the node keeps what it keeps */
  static Guild start(Path data) throws Exception {
    Guild guild = new Guild();
    guild.servers.all(() -> guild.startNode(data));
    return guild;
  }

  private void startNode(Path data) throws IOException {
    Path logs = logs("node");
    DemoDirectory directory = servers.begun(DemoDirectory.start(0));
    SampleApp sample = servers.begun(SampleApp.start(0));
    Path keys = Files.writeString(logs.resolve("keyed.json"), jwks(key)).toAbsolutePath();
    Map<String, String> environment =
        Map.of(
            "DATA", data.toString(),
            "PORT", String.valueOf(ports.get(0)),
            "ADMIN_PORT", String.valueOf(ports.get(1)),
            "NODE_PORT", String.valueOf(ports.get(2)),
            "APACHE_PORT", String.valueOf(ports.get(3)),
            "SHOP_PORT", String.valueOf(ports.get(4)),
            "CLIENT_KEYS", keys.toString(),
            "DIRECTORY_PORT", String.valueOf(directory.port()),
            "SAMPLE_PORT", String.valueOf(sample.port()));
    servers.begun(BuiltNode.run(Path.of("src/test/resources/guild"), logs, environment));
  }

  private static Path logs(String name) throws IOException {
    return Files.createDirectories(LOGS.resolve(name));
  }

  /** Skips the test by name where Node.js is missing. */
  void startHall() throws IOException, InterruptedException {
    NodePackage.requireNode();
    Path logs = logs("openid-client");
    Path program = HALL.install();
    Map<String, Object> settings =
        Map.of(
            "address", "127.0.0.23",
            "port", ports.get(2),
            "issuer", idp(""),
            "clients",
                Map.of(
                    "basic", Map.of("id", "basic", "secret", "quite-a-secret"),
                    "post",
                        Map.of("id", "basic", "secret", "quite-a-secret", "authentication", "client_secret_post"),
                    "keyed",
                        Map.of(
                            "id", "keyed",
                            "authentication", "private_key_jwt",
                            "key", pem(key),
                            "metadata", Map.of("id_token_signed_response_alg", "ES256")),
                    "app", Map.of("id", "app", "authentication", "none")));
    Path file = Files.write(logs.resolve("openid-client.json"), JsonMapper.shared().writeValueAsBytes(settings));
    ServerProcess process =
        servers.begun(
            ServerProcess.start(
                "openid-client",
                logs,
                Map.of(),
                List.of("node", program.resolve("server.js").toString(), file.toAbsolutePath().toString())));
    process.await(() -> process.output().contains("listening"), Duration.ofSeconds(60));
  }

  /** Skips the test by name where Apache is missing. */
  void startLibrary() throws IOException {
    Library.requireInstalled();
    servers.begun(Library.start(logs("openidc"), "127.0.0.24", ports.get(3), idp("")));
  }

  void startShop() throws IOException {
    shop = Optional.of(servers.begun(SpringShop.start("127.0.0.25", ports.get(4), idp(""))));
  }

  private static String jwks(SigningKey key) {
    ECKey jwk =
        new ECKey.Builder(Curve.P_256, (ECPublicKey) key.certificate().getPublicKey()).keyID("keyed").build();
    return new JWKSet(jwk).toString();
  }

  private static String pem(SigningKey key) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.privateKey().getEncoded());
    return "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n";
  }

  /** Below the realm of our identity provider. */
  String idp(String path) {
    return "http://127.0.0.22:" + ports.get(0) + "/realms/guild" + path;
  }

  /** The relying party that is made of openid-client. */
  String hall(String path) {
    return "http://127.0.0.23:" + ports.get(2) + path;
  }

  /** The relying party that is Apache's mod_auth_openidc. */
  String library(String path) {
    return "http://127.0.0.24:" + ports.get(3) + path;
  }

  /** The relying party and resource server that is made of Spring Security. */
  String shop(String path) {
    return "http://127.0.0.25:" + ports.get(4) + path;
  }

  SpringShop shop() {
    return shop.orElseThrow();
  }

  /** What the receipt of a logout, which the person sees now, says of an app. */
  Locator receipt(Person person, String app) {
    return person.page().locator("ul.rows > li").filter(new Locator.FilterOptions().setHasText(app));
  }

  /** Behind our gateway. */
  String intranet(String path) {
    return "http://127.0.0.26:" + ports.get(0) + path;
  }

  @Override
  public void close() throws Exception {
    servers.close();
  }
}
