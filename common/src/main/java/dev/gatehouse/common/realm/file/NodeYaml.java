package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Node.Outbound;
import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.node.SpaceConfig;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.RealmGrant;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads {@code gatehouse.yaml}. */
final class NodeYaml {

  private static final Section OUTBOUND = new Section();
  private static final Key<Cidr> ALLOW =
      OUTBOUND.list(
          "allow", Type.CIDR, "[]",
          "Further addresses, e.g. `[127.0.0.0/8]`, to which calls to addresses that an OAuth client named may go; else to "
              + "public ones only.");
  private static final Key<List<X509Certificate>> CA =
      OUTBOUND.key(
          "ca", Pems.AUTHORITIES, "e.g. tls/private-ca.pem",
          "Authorities that count for https beside the JDK's. A directory has `directory.trust`.");

  private static final Section SPACE = new Section();
  private static final Key<Long> WARNING =
      SPACE.key(
          "warning", Type.size(1 << 10, 1L << 30), "e.g. 1GB",
          "If less space is free, the log, health and the metric `gatehouse.space.state` warn. Default: 1GB, or `low` if that "
              + "is more; on a small disk a fifth of it, if that is less.");
  private static final Key<Long> LOW =
      SPACE.key(
          "low", Type.size(1 << 10, 1L << 30), "128MB",
          "If less space is free, new sign-ons, tokens and registrations are refused (503); logouts and revocations are still "
              + "written. On a small disk the default is a tenth of it, if that is less.");
  private static final Key<Long> RESERVE =
      SPACE.key(
          "reserve", Type.size(64, 1L << 30), "e.g. 16MB",
          "Size of a file on each of these disks that is removed when the disk is full, so that logouts and revocations can be "
              + "written. Default: 16MB, or `low` if that is less; on a small disk a twentieth of it, if that is less.");

  private static final Section CONFIGURATION = new Section();
  private static final Key<ConfigurationSource> SOURCE =
      CONFIGURATION.key(
          "source", Type.choice(ConfigurationSource.class), "files",
          "`files`: the realms are `realms/NAME.yaml` beside this file. `database`: they are revisions in the database, changed by "
              + "`./gatehouse apply` and `/admin/v1/revisions`; those files are imported once.");

  static final Section KEYS = new Section();
  static final Key<Role> ROLES = KEYS.list("roles", Type.choice(Role.class), "[idp, sp, gateway]", "The roles of this node.");
  private static final Key<Void> LISTENERS = KEYS.section("listeners", ListenersYaml.KEYS, "The node's sockets.");
  static final Key<Void> ADMIN =
      KEYS.section("admin", AdminLoginYaml.KEYS, "People as administrators; without it, only administrator keys open the administration.");
  private static final Key<Void> CALLS = KEYS.section("outbound", OUTBOUND,
      "Calls to partners, OpenID providers and OAuth clients.");
  private static final Key<Integer> INDEX =
      KEYS.key("index", Type.integer(0, 65535), "0", "The number of this node among several, from 0; artifacts contain it.");
  private static final Key<Storage> STORAGE =
      KEYS.key("storage", Type.choice(Storage.class), "embedded", "`volatile`: memory only, for tests.");
  private static final Key<Path> DATA = KEYS.key("data", Type.PATH, "data", "Folder of storage, made keys and fetched metadata.");
  private static final Key<Cidr> PROXIES =
      KEYS.list("trustedProxies", Type.CIDR, "[]", "Proxies whose Forwarded headers count, e.g. `[10.0.0.0/8, 192.0.2.7]`.");
  private static final Key<Void> REALMS = KEYS.section("configuration", CONFIGURATION, "Where the configuration of the realms is.");
  private static final Key<Void> GRANTS =
      KEYS.namedSections(
          "realms", GrantsYaml.KEYS,
          "What administrators of one realm may use when they change its configuration in the database; nothing unless configured. "
              + "Those of all realms are not limited. A change counts from the next change of a realm on, without a restart.");
  private static final Key<Void> AUDIT_LOG = KEYS.section("audit", AuditYaml.KEYS, "The audit log.");
  private static final Key<Void> FREE_SPACE = KEYS.section("space", SPACE, "Free space on the disks of data and audit log.");
  static final Key<Void> MAIL = KEYS.section("mail", MailYaml.SERVER, "The server for mail; none is sent unless configured.");

  static {
    GatewayNodeYaml.declare(KEYS);
  }

  private final YamlSection root;

  NodeYaml(YamlSection root) {
    this.root = root;
  }

  Node read() {
    Set<Role> roles = Set.copyOf(root.all(ROLES));
    if (roles.isEmpty()) {
      root.problem(ROLES, "names no role", "write one or more of idp, sp, gateway, or remove the key for all three");
    }
    Path data = root.get(DATA);
    YamlSection outbound = root.sectionOrEmpty(CALLS);
    Node.Listeners listeners = new ListenersYaml(root.sectionOrEmpty(LISTENERS)).read();
    return new Node(
        roles,
        listeners.with(root.section(ADMIN).flatMap(admin -> AdminLoginYaml.read(admin, listeners.admin(), roles))),
        root.get(STORAGE), data, root.all(PROXIES),
        AuditYaml.read(root.sectionOrEmpty(AUDIT_LOG), data),
        root.get(INDEX), new Outbound(
            outbound.all(ALLOW), outbound.get(CA, List.of()), root.section(MAIL).flatMap(MailYaml::server)),
        GatewayNodeYaml.read(root), space(root.sectionOrEmpty(FREE_SPACE)));
  }

  /** Returns the place of the realms. */
  ConfigurationSource source() {
    return root.sectionOrEmpty(REALMS).get(SOURCE);
  }

  /** Returns what administrators of each realm may use. */
  Map<String, RealmGrant> grants() {
    return GrantsYaml.read(root.namedSections(GRANTS));
  }

  private static SpaceConfig space(YamlSection space) {
    long low = space.get(LOW);
    long warning = space.get(WARNING, Math.max(SpaceConfig.USUAL.warning(), low));
    long reserve = space.get(RESERVE, Math.min(SpaceConfig.USUAL.reserve(), low));
    if (warning < low) {
      space.problem(WARNING, "comes after new sign-ons are refused (low: " + low + " bytes)", "write at least as much as low");
    }
    if (reserve > low) {
      space.problem(RESERVE, "is more than low (" + low + " bytes), below which it is needed", "write at most as much as low");
    }
    return new SpaceConfig(warning, low, reserve);
  }
}
