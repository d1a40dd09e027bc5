package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Path;

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
  private final GatehouseNode idp;
  private final GatehouseNode sp;

  private Federation(String idpUrl, String appUrl, GatehouseNode idp, GatehouseNode sp) {
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
    String idpListener = "idp: [{address: " + IDP_HOST + ", port: " + idpPort + "}]";
    String appListener = "gateway: [{address: " + APP_HOST + ", port: " + appPort + "}]";
    GatehouseNode idp =
        GatehouseNode.start("idp", directory, "[idp]", idpListener, REALM, idpRealm(idpUrl, appUrl, ldapPort, key));
    GatehouseNode sp =
        GatehouseNode.start("sp", directory, "[sp, gateway]", appListener, REALM, spRealm(idpUrl, appUrl, upstream, key));
    Federation federation = new Federation(idpUrl, appUrl, idp, sp);
    try {
      idp.await();
      sp.await();
      return federation;
    } catch (IOException | InterruptedException e) {
      federation.close();
      throw e;
    }
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

  public String idpUrl() {
    return idpUrl;
  }

  public String appUrl() {
    return appUrl;
  }

  public ServerProcess idp() {
    return idp.process();
  }

  public ServerProcess sp() {
    return sp.process();
  }

  @Override
  public void close() {
    sp.close();
    idp.close();
  }
}
