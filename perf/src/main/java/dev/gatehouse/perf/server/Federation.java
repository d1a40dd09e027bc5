package dev.gatehouse.perf.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Two Gatehouse nodes as processes of their own, federated by exchanging metadata: an identity provider, and a service
 * provider with the gateway in front of an app. They have hosts of their own (127.0.0.1 and 127.0.0.2), because cookies do
 * not tell ports apart.
 */
public final class Federation implements AutoCloseable {

  public static final String REALM = "bench";

  private static final String IDP_HOST = "127.0.0.1";
  private static final String APP_HOST = "127.0.0.2";

  private final String idpUrl;
  private final String appUrl;
  private final ServerProcess idp;
  private final ServerProcess sp;

  private Federation(String idpUrl, String appUrl, ServerProcess idp, ServerProcess sp) {
    this.idpUrl = idpUrl;
    this.appUrl = appUrl;
    this.idp = idp;
    this.sp = sp;
  }

  /**
   * Writes the configuration of both nodes below {@code directory}, starts them and waits until they are ready.
   *
   * @param ldapPort of a directory from {@link SlapdServer}
   * @param upstream the app's URL
   * @param key the realm's {@code keys.algorithm}
   */
  public static Federation start(Path directory, int ldapPort, String upstream, String key)
      throws IOException, InterruptedException {
    int idpPort = FreePorts.take();
    int appPort = FreePorts.take();
    String idpUrl = "http://" + IDP_HOST + ":" + idpPort;
    String appUrl = "http://" + APP_HOST + ":" + appPort;
    Path idpConfig = directory.resolve("idp");
    Path spConfig = directory.resolve("sp");
    int idpAdmin = FreePorts.take();
    int spAdmin = FreePorts.take();
    write(idpConfig, node("[idp]", "idp: [{address: " + IDP_HOST + ", port: " + idpPort + "}]", idpAdmin), idpRealm(idpUrl, appUrl, ldapPort, key));
    write(
        spConfig,
        node("[sp, gateway]", "gateway: [{address: " + APP_HOST + ", port: " + appPort + "}]", spAdmin),
        spRealm(idpUrl, appUrl, upstream, key));
    ServerProcess idp = node("idp", directory, idpConfig);
    try {
      ServerProcess sp = node("sp", directory, spConfig);
      Federation federation = new Federation(idpUrl, appUrl, idp, sp);
      idp.await(() -> isReady(idpAdmin), Duration.ofSeconds(90));
      sp.await(() -> isReady(spAdmin), Duration.ofSeconds(90));
      return federation;
    } catch (IOException | InterruptedException e) {
      idp.close();
      throw e;
    }
  }

  private static ServerProcess node(String name, Path directory, Path config) throws IOException {
    String home = System.getenv("GATEHOUSE_HOME");
    if (home == null) {
      throw new IOException("GATEHOUSE_HOME is not set: start benchmarks with ./gatehouse bench");
    }
    return ServerProcess.start(
        name, directory, Map.of(), List.of(home + "/gatehouse", "run", "--config", config.toString()));
  }

  private static void write(Path config, String node, String realm) throws IOException {
    Files.createDirectories(config.resolve("realms"));
    Files.writeString(config.resolve("gatehouse.yaml"), node);
    Files.writeString(config.resolve("realms").resolve(REALM + ".yaml"), realm);
  }

  private static String node(String roles, String listener, int adminPort) {
    return """
        roles: %s
        listeners:
          %s
          admin: {port: %d}
        storage: embedded
        """
        .formatted(roles, listener, adminPort);
  }

  private static String idpRealm(String idpUrl, String appUrl, int ldapPort, String key) {
    return """
        keys: {algorithm: %4$s}
        idp:
          publicUrl: %1$s
          directLogin: true
        directory:
          urls: [ldap://127.0.0.1:%3$d]
          base: ou=people,dc=example,dc=com
          filter: (uid={name})
          attributes: {uid: uid, mail: mail}
          groups: {base: "ou=groups,dc=example,dc=com"}
        partners:
          - entityId: %2$s/.gatehouse/saml/metadata
            metadata: {url: "%2$s/.gatehouse/saml/metadata"}
            release: {uid: uid, mail: mail, roles: roles, groups: groups}
        """
        .formatted(idpUrl, appUrl, ldapPort, key);
  }

  private static String spRealm(String idpUrl, String appUrl, String upstream, String key) {
    return """
        keys: {algorithm: %5$s}
        sp:
          publicUrl: %2$s
          identityProvider: %1$s/realms/%3$s
          unsolicited: true
        partners:
          - entityId: %1$s/realms/%3$s
            metadata: {url: "%1$s/realms/%3$s/saml/metadata"}
        routes:
          - {path: /public/, upstream: "%4$s", access: public}
          - {path: /, upstream: "%4$s", access: protected}
        """
        .formatted(idpUrl, appUrl, REALM, upstream, key);
  }

  private static boolean isReady(int adminPort) {
    try {
      URI readiness = URI.create("http://127.0.0.1:" + adminPort + "/actuator/health/readiness");
      HttpURLConnection connection = (HttpURLConnection) readiness.toURL().openConnection();
      connection.setConnectTimeout(500);
      connection.setReadTimeout(1000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  public String idpUrl() {
    return idpUrl;
  }

  public String appUrl() {
    return appUrl;
  }

  public ServerProcess idp() {
    return idp;
  }

  public ServerProcess sp() {
    return sp;
  }

  @Override
  public void close() {
    sp.close();
    idp.close();
  }
}
