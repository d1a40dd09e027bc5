package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two Gatehouse nodes as separate processes, federated by exchanging metadata: an identity provider, and a service
 * provider with the gateway in front of an app. A site is a realm on both nodes, with its own settings. The identity
 * provider and each site have different addresses in 127.0.0.0/8, because cookies do not distinguish ports.
 */
public final class Federation implements AutoCloseable {

  /**
   * How the partners of a realm communicate.
   *
   * @param realm its name on both nodes
   * @param idpKeys further YAML keys of the service provider as the identity provider's partner, for example {@code
   *     nameId}
   * @param spKeys further YAML keys of the identity provider as the service provider's partner, for example {@code
   *     response}
   * @param inBulk whether all people are federated before the nodes start, with a persistent name that is linked to an
   *     account. The service provider then uses the directory as well, and searches it for the linked person in each
   *     login
   */
  public record Setup(String realm, Map<String, String> idpKeys, Map<String, String> spKeys, boolean inBulk) {
    public static Setup plain() {
      return new Setup("bench", Map.of(), Map.of(), false);
    }
  }

  /** A running realm. */
  public record Site(String realm, String appUrl) {}

  private final String idpUrl;
  private final Map<String, Site> sites;
  private final GatehouseNode idp;
  private final GatehouseNode sp;

  private Federation(String idpUrl, Map<String, Site> sites, GatehouseNode idp, GatehouseNode sp) {
    this.idpUrl = idpUrl;
    this.sites = sites;
    this.idp = idp;
    this.sp = sp;
  }

  /**
   * Writes the configuration of both nodes below {@code directory}, federates people in bulk, starts the nodes and
   * waits until they are ready.
   *
   * @param people the number of people in the directory
   * @param ldapPort of a directory from {@link SlapdServer}
   * @param upstream the app's URL
   * @param key the realms' {@code keys.algorithm}
   */
  public static Federation start(
      Build build, Path directory, int ldapPort, int people, String upstream, String key, List<Setup> setups)
      throws IOException, InterruptedException {
    int idpPort = FreePorts.take();
    int appPort = FreePorts.take();
    String idpUrl = "http://127.0.0.1:" + idpPort;
    Map<String, Site> sites = new LinkedHashMap<>();
    Map<String, String> idpRealms = new LinkedHashMap<>();
    Map<String, String> spRealms = new LinkedHashMap<>();
    for (Setup setup : setups) {
      Site site = new Site(setup.realm(), "http://" + host(sites.size()) + ":" + appPort);
      sites.put(site.realm(), site);
      idpRealms.put(site.realm(), idpRealm(idpUrl, site, ldapPort, key, setup.idpKeys()));
      spRealms.put(site.realm(), spRealm(idpUrl, site, upstream, ldapPort, key, setup));
    }
    String gateway =
        IntStream.range(0, setups.size())
            .mapToObj(i -> "{address: " + host(i) + ", port: " + appPort + "}")
            .collect(Collectors.joining(", ", "gateway: [", "]"));
    GatehouseNode.Configured idp = GatehouseNode.configure("idp", directory, "[idp]", "idp", idpPort, idpRealms);
    GatehouseNode.Configured sp = GatehouseNode.configure("sp", directory, "[sp, gateway]", gateway, "", appPort, spRealms);
    BulkFederation bulk = new BulkFederation(build, directory, people, idp, sp);
    for (Setup setup : setups) {
      if (setup.inBulk()) {
        bulk.federate(setup.realm(), idpUrl, site(sites, setup.realm()).appUrl());
      }
    }
    return started(new Federation(idpUrl, Map.copyOf(sites), idp.start(build), sp.start(build)));
  }

  private static Federation started(Federation federation) throws IOException, InterruptedException {
    try {
      federation.idp.await();
      federation.sp.await();
      return federation;
    } catch (IOException | InterruptedException e) {
      federation.close();
      throw e;
    }
  }

  private static String host(int site) {
    return "127.0.0." + (2 + site);
  }

  private static String idpRealm(String idpUrl, Site site, int ldapPort, String key, Map<String, String> more) {
    return """
        keys: {algorithm: %4$s}
        idp:
          publicUrl: %1$s
          directLogin: true
        %3$spartners:
          - entityId: %2$s/.gatehouse/saml/metadata
            metadata: {url: "%2$s/.gatehouse/saml/metadata"}
            release: {uid: uid, mail: mail, roles: roles, groups: groups}
        %5$s"""
        .formatted(idpUrl, site.appUrl(), directory(ldapPort), key, keys(more));
  }

  /** One directory contains the people of both sides; each side searches it separately. */
  private static String directory(int ldapPort) {
    return GatehouseNode.directory(ldapPort, "uid: uid, mail: mail")
        + "  groups: {base: \"ou=groups,dc=example,dc=com\"}\n";
  }

  private static String spRealm(
      String idpUrl, Site site, String upstream, int ldapPort, String key, Setup setup) {
    return """
        keys: {algorithm: %5$s}
        sp:
          publicUrl: %2$s
          identityProvider: %1$s/realms/%3$s
          unsolicited: true
        routes:
          - {path: /public/, upstream: "%4$s", access: public}
          - {path: /, upstream: "%4$s", access: protected}
        %6$spartners:
          - entityId: %1$s/realms/%3$s
            metadata: {url: "%1$s/realms/%3$s/saml/metadata"}
        %7$s"""
        .formatted(
            idpUrl,
            site.appUrl(),
            site.realm(),
            upstream,
            key,
            setup.inBulk() ? directory(ldapPort) : "",
            keys(setup.spKeys()));
  }

  /** The further keys of the partner, which is the last entry. */
  private static String keys(Map<String, String> more) {
    return more.entrySet().stream()
        .map(key -> "    " + key.getKey() + ": " + key.getValue() + "\n")
        .collect(Collectors.joining());
  }

  public String idpUrl() {
    return idpUrl;
  }

  public Site site(String realm) {
    return site(sites, realm);
  }

  private static Site site(Map<String, Site> sites, String realm) {
    Site site = sites.get(realm);
    if (site == null) {
      throw new IllegalArgumentException("no realm " + realm);
    }
    return site;
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
