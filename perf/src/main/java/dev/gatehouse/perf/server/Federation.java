package dev.gatehouse.perf.server;

import dev.gatehouse.perf.data.People;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two Gatehouse nodes as separate processes, federated by exchanging metadata: an identity provider, and a service
 * provider with the gateway in front of an app. A site is a realm on both nodes, with its own settings. The identity
 * provider and each site have different addresses in 127.0.0.0/8, because cookies do not distinguish ports.
 *
 * @param appUrls of the sites, by realm
 */
public record Federation(String idpUrl, Map<String, String> appUrls, GatehouseNode idp, GatehouseNode sp) implements AutoCloseable {

  /**
   * The bindings between the partners of a realm.
   *
   * @param realm its name on both nodes
   * @param idpKeys further YAML keys of the service provider as the identity provider's partner, for example {@code
   *     nameId}
   * @param spKeys further YAML keys of the identity provider as the service provider's partner, for example {@code
   *     response}
   * @param inBulk whether all people are federated before the nodes start, with a persistent name that is linked to an
   *     account. The service provider then uses the directory as well, and searches it for the linked person in each
   *     login
   * @param memberOf whether groups are read from people's entries, and not searched; {@link SlapdServer} then has to write them there
   */
  public record Setup(String realm, Map<String, String> idpKeys, Map<String, String> spKeys, boolean inBulk, boolean memberOf) {
    public Setup(String realm, Map<String, String> idpKeys, Map<String, String> spKeys, boolean inBulk) {
      this(realm, idpKeys, spKeys, inBulk, false);
    }

    public static Setup plain() {
      return new Setup("bench", Map.of(), Map.of(), false);
    }

    /** The same in a realm of its own, where groups are read from people's entries. */
    public Setup byMemberOf() {
      return new Setup(realm + "-memberof", idpKeys, spKeys, inBulk, true);
    }
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
    Map<String, String> appUrls = new LinkedHashMap<>();
    Map<String, String> idpRealms = new LinkedHashMap<>();
    Map<String, String> spRealms = new LinkedHashMap<>();
    for (Setup setup : setups) {
      String appUrl = "http://" + host(appUrls.size()) + ":" + appPort;
      appUrls.put(setup.realm(), appUrl);
      idpRealms.put(setup.realm(), idpRealm(idpUrl, appUrl, ldapPort, key, setup));
      spRealms.put(setup.realm(), spRealm(idpUrl, appUrl, upstream, ldapPort, key, setup));
    }
    String gateway =
        IntStream.range(0, setups.size())
            .mapToObj(i -> "{address: " + host(i) + ", port: " + appPort + "}")
            .collect(Collectors.joining(", ", "gateway: [", "]"));
    GatehouseNode.Configured idp = GatehouseNode.configure("idp", directory, "[idp]", "idp", idpPort, idpRealms);
    GatehouseNode.Configured sp = GatehouseNode.configure("sp", directory, "[sp, gateway]", gateway, "", appPort, spRealms);
    for (Setup setup : setups) {
      if (setup.inBulk()) {
        federate(build, idp, sp, new Ends(setup.realm(), idp.url(), Objects.requireNonNull(appUrls.get(setup.realm()))), people);
      }
    }
    Federation federation = new Federation(idpUrl, Map.copyOf(appUrls), idp.start(build), sp.start(build));
    try {
      federation.idp.await();
      federation.sp.await();
      return federation;
    } catch (IOException | InterruptedException e) {
      federation.close();
      throw e;
    }
  }

  /**
   * The two ends of a federation.
   *
   * @param realm of that name at both nodes
   * @param idpUrl the origin of the identity provider
   * @param appUrl the origin of the service provider
   */
  public record Ends(String realm, String idpUrl, String appUrl) {}

  /**
   * Runs {@code ./gatehouse federate bulk} on the stores of both nodes, or at both nodes if they run: each person has the same name at both
   * ends.
   */
  public static void federate(
      Build build, GatehouseNode.Configured idp, GatehouseNode.Configured sp, Ends ends, int people)
      throws IOException, InterruptedException {
    String realm = ends.realm();
    // One file for each realm, because the progress is stored beside it.
    Path file = idp.directory().resolve("federate-" + realm + ".csv");
    Files.write(file, IntStream.rangeClosed(1, people).mapToObj(n -> People.name(n) + "," + People.name(n)).toList());
    long begin = System.nanoTime();
    Commands.output(
        build.command(
            "federate", "bulk", "--config", idp.config().toString(), "--realm", realm, "--sp",
            ends.appUrl() + "/.gatehouse/saml/metadata", "--sp-config", sp.config().toString(), "--sp-realm", realm, "--idp",
            ends.idpUrl() + "/realms/" + realm, "--file", file.toString()));
    System.err.printf("%s: %,d people federated in %d s%n", realm, people, (System.nanoTime() - begin) / 1_000_000_000);
  }

  private static String host(int site) {
    return "127.0.0." + (2 + site);
  }

  /** The realm of a site at the identity provider. */
  public static String idpRealm(String idpUrl, String appUrl, int ldapPort, String key, Setup setup) {
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
        .formatted(idpUrl, appUrl, directory(ldapPort, setup), key, keys(setup.idpKeys()));
  }

  /** One directory contains the people of both sides; each side searches it separately. */
  private static String directory(int ldapPort, Setup setup) {
    return GatehouseNode.directory(ldapPort, "uid: uid, mail: mail")
        + "  groups: {base: \"ou=groups,dc=example,dc=com\"" + (setup.memberOf() ? ", attribute: memberOf" : "") + "}\n";
  }

  /** The realm of a site at the service provider. */
  public static String spRealm(
      String idpUrl, String appUrl, String upstream, int ldapPort, String key, Setup setup) {
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
            appUrl,
            setup.realm(),
            upstream,
            key,
            setup.inBulk() ? directory(ldapPort, setup) : "",
            keys(setup.spKeys()));
  }

  /** The further keys of the partner, which is the last entry. */
  private static String keys(Map<String, String> more) {
    return more.entrySet().stream()
        .map(key -> "    " + key.getKey() + ": " + key.getValue() + "\n")
        .collect(Collectors.joining());
  }

  @Override
  public void close() {
    sp.close();
    idp.close();
  }
}
