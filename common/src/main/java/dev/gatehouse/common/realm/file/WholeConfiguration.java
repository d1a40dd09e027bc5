package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.common.node.Node.RadiusListener;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.file.ConfigurationFiles.ReadRealm;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Checks the rules between several files. */
final class WholeConfiguration {

  /** Precedes the name of the realm that a host belongs to. */
  static final String OWNER = ", which belongs to the realm ";

  private final YamlSection nodeRoot;
  private final Node node;
  private final List<ReadRealm> realms;

  WholeConfiguration(YamlSection nodeRoot, Node node, List<ReadRealm> realms) {
    this.nodeRoot = nodeRoot;
    this.node = node;
    this.realms = realms;
  }

  void report() {
    hostsOfOneRealm();
    rolesServed();
    secureOriginsServed();
    certificateLoginServed();
    artifactNodesListed();
    mailServed();
    administratorsLogIn();
    radiusServed();
  }

  /** A listener of RADIUS serves a realm here, and clients of RADIUS have a listener. */
  private void radiusServed() {
    // A realm that could not be read may be the one that is named.
    if (!node.roles().contains(Role.IDP) || realms.stream().anyMatch(read -> read.realm().isEmpty())) {
      return;
    }
    YamlSection section = nodeRoot.sectionOrEmpty(NodeYaml.LISTENERS);
    for (RadiusListener listener : node.listeners().radius()) {
      boolean found =
          realms.stream().flatMap(read -> read.realm().stream())
              .anyMatch(realm -> realm.name().equals(listener.realm()) && realm.parties().radius().isPresent());
      if (!found) {
        section.problem(
            listener.isSecure() ? ListenersYaml.RADSEC_LISTENERS : ListenersYaml.RADIUS_LISTENERS,
            "names `" + listener.realm() + "`, which is no realm with radius", "name a realm with the section radius, or add it there");
      }
    }
  }

  /** Mail to people needs a server that takes it. */
  private void mailServed() {
    for (ReadRealm read : realms) {
      if (read.realm().flatMap(Realm::directory).flatMap(DirectoryConfig::mail).isPresent() && !nodeRoot.has(NodeYaml.MAIL)) {
        read.root()
            .ifPresent(
                root ->
                    root.problem(
                        RealmYaml.DIRECTORY, "has mail, but no server takes it", "add mail with host and from to gatehouse.yaml"));
      }
    }
  }

  /** People log in to the console at the identity provider of a realm here. */
  private void administratorsLogIn() {
    Optional<String> named = node.listeners().adminLogin().map(AdminLogin::realm);
    // A realm that could not be read may be that one.
    if (named.isEmpty() || realms.stream().anyMatch(read -> read.realm().isEmpty())) {
      return;
    }
    List<Realm> known = realms.stream().flatMap(read -> read.realm().stream()).toList();
    Optional<Realm> found = known.stream().filter(realm -> realm.name().equals(named.get())).findFirst();
    if (found.flatMap(Realm::idp).isEmpty()) {
      nodeRoot.sectionOrEmpty(NodeYaml.ADMIN)
          .problem(
              NodeYaml.AdminLoginYaml.REALM,
              found.isEmpty() ? "names no realm of this configuration" : "names a realm without identity provider",
              "name a realm with the section idp");
    }
  }

  /** Artifacts of this node contain its index, so metadata must list the address for that index. */
  private void artifactNodesListed() {
    for (ReadRealm read : realms) {
      Optional<Integer> ofIdp = read.realm().flatMap(Realm::idp).map(idp -> idp.artifactNodes().size());
      Optional<Integer> ofSp = read.realm().flatMap(Realm::sp).map(sp -> sp.artifactNodes().size());
      ofIdp.ifPresent(nodes -> artifactNodesListed(read, RealmYaml.IDP_KEY, nodes));
      ofSp.ifPresent(nodes -> artifactNodesListed(read, RealmYaml.SP_KEY, nodes));
    }
  }

  private void artifactNodesListed(ReadRealm read, Key<?> section, int nodes) {
    if (node.artifactIndex() >= nodes) {
      read.root()
          .ifPresent(
              root ->
                  root.problem(
                      section,
                      "has artifactNodes up to index " + (nodes - 1) + ", but this node's index is " + node.artifactIndex(),
                      "list the origin of each node in artifactNodes, or correct index in gatehouse.yaml"));
    }
  }

  /** Login by certificate needs a listener that asks for certificates. */
  private void certificateLoginServed() {
    for (ReadRealm read : realms) {
      boolean offered =
          read.realm().flatMap(Realm::idp).flatMap(idp -> idp.contracts().certificate()).isPresent();
      if (offered && node.roles().contains(Role.IDP) && node.listeners().certificateLogin().isEmpty()) {
        read.root()
            .ifPresent(
                root ->
                    root.problem(
                        RealmYaml.IDP_KEY,
                        "offers login by certificate, but nothing here asks for certificates",
                        "add listeners.certificateLogin to gatehouse.yaml"));
      }
    }
  }

  /** A host belongs to one realm, because cookies are shared by all ports of a host. */
  private void hostsOfOneRealm() {
    Map<String, String> owners = new HashMap<>();
    for (ReadRealm read : realms) {
      Optional<SpConfig> sp = read.realm().flatMap(Realm::sp);
      String name = read.realm().map(Realm::name).orElse("");
      sp.stream()
          .flatMap(WholeConfiguration::origins)
          .map(Origin::host)
          .distinct()
          .forEach(
              host -> {
                String owner = owners.putIfAbsent(host, name);
                if (owner != null) {
                  read.root()
                      .ifPresent(
                          root ->
                              root.problem(
                                  RealmYaml.SP_KEY,
                                  "serves the host " + host + OWNER + owner,
                                  "give each realm hosts of its own (ports do not tell cookies apart)"));
                }
              });
    }
  }

  static Stream<Origin> origins(SpConfig sp) {
    Stream<Origin> nodes = sp.artifactNodes().stream().map(Origin::of);
    return Stream.concat(Stream.concat(Stream.of(sp.home()), sp.otherOrigins().stream()), nodes);
  }

  private void rolesServed() {
    List<Realm> read = realms.stream().flatMap(r -> r.realm().stream()).toList();
    // A realm that could not be read may be the one that serves the role.
    if (read.isEmpty() || realms.stream().anyMatch(r -> !r.source().problems().isEmpty())) {
      return;
    }
    served(Role.IDP, "idp", read, realm -> realm.idp().isPresent());
    served(Role.SP, "sp", read, realm -> realm.sp().isPresent());
    served(Role.GATEWAY, "sp", read, realm -> realm.sp().isPresent());
  }

  private void served(Role role, String section, List<Realm> read, Predicate<Realm> serves) {
    // Without the key, the node has the roles that its realms need.
    if (nodeRoot.has(NodeYaml.ROLES) && node.roles().contains(role) && read.stream().noneMatch(serves)) {
      nodeRoot.problem(
          NodeYaml.ROLES,
          "has " + role.name().toLowerCase(java.util.Locale.ROOT) + ", but no realm has an " + section,
          "add the section " + section + " to a realm, or remove the role");
    }
  }

  /** An https origin needs TLS here or a trusted proxy in front; otherwise every request would look like http. */
  private void secureOriginsServed() {
    if (!node.trustedProxies().isEmpty()) {
      return;
    }
    for (ReadRealm read : realms) {
      Optional<Origin> idp = read.realm().flatMap(Realm::idp).map(i -> Origin.of(i.publicUrl()));
      Optional<Origin> sp = read.realm().flatMap(Realm::sp).map(SpConfig::home);
      read.root().ifPresent(root -> {
        secure(root, RealmYaml.IDP_KEY, Role.IDP, idp, node.listeners().idp());
        secure(root, RealmYaml.SP_KEY, Role.GATEWAY, sp, node.listeners().gateway());
      });
    }
  }

  private void secure(YamlSection root, Key<?> section, Role role, Optional<Origin> origin, List<Listener> listeners) {
    boolean needed = origin.filter(Origin::isSecure).isPresent() && node.roles().contains(role);
    if (needed && listeners.stream().noneMatch(listener -> listener.tls().isPresent())) {
      root.problem(
          section,
          "is published as https, but nothing here speaks TLS for it",
          "give a listener in gatehouse.yaml a certificate, or name the TLS proxy in trustedProxies");
    }
  }
}
