package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.common.node.Node.Outbound;
import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.node.SpaceConfig;
import dev.gatehouse.common.node.TracingConfig;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.node.TrustedProxies.ForwardedFields;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.RealmGrant;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
  private static final Key<Configuration.Source> SOURCE =
      CONFIGURATION.key(
          "source", Type.choice(Configuration.Source.class), "e.g. database",
          "Default: `database` with `storage: shared`, else `files`. `files`: the realms are `realms/NAME.yaml` beside this file. "
              + "`database`: they are revisions in the database, changed by "
              + "`./gatehouse apply` and `/admin/v1/revisions`; those files are imported once.");

  static final Section KEYS = new Section();
  static final Key<Role> ROLES = KEYS.list("roles", Type.choice(Role.class), "[idp, sp, gateway]", "The roles of this node.");
  static final Key<Void> LISTENERS = KEYS.section("listeners", ListenersYaml.KEYS, "The node's sockets.");
  static final Key<Void> ADMIN =
      KEYS.section("admin", AdminLoginYaml.KEYS, "People as administrators; without it, only administrator keys open the administration.");
  private static final Key<Void> CALLS = KEYS.section("outbound", OUTBOUND,
      "Calls to partners, OpenID providers and OAuth clients.");
  private static final int LAST_INDEX = 65535;
  private static final Key<OptionalInt> INDEX =
      KEYS.key(
          "index",
          new Type<>(
              "number, 0 to " + LAST_INDEX + ", or `auto`",
              Map.of("anyOf", List.of(Map.of("type", "integer", "minimum", 0, "maximum", LAST_INDEX), Map.of("enum", List.of("auto")))),
              NodeYaml::index),
          "e.g. 1",
          "The number of this node among several, from 0; artifacts of embedded storage contain it. Default: `auto` with `storage: shared`, "
              + "else 0. `auto`: the node takes one that no other node has.");
  private static final Key<Storage> STORAGE =
      KEYS.key(
          "storage", Type.choice(Storage.class), "embedded",
          "`embedded`: H2 and RocksDB in `data`, for one node. `shared`: PostgreSQL and Valkey, for several. `volatile`: memory only, for "
              + "tests.");
  private static final SharedYaml.Keys SHARED =
      new SharedYaml.Keys(
          KEYS.section("postgresql", SharedYaml.POSTGRESQL, "The database of `storage: shared`."),
          KEYS.section("valkey", SharedYaml.ValkeyYaml.KEYS, "The servers for sessions, codes and tokens of `storage: shared`."),
          KEYS.key(
              "deployment",
              Type.matching("name", "[a-z][a-z0-9-]{0,15}", "is not a name", "use up to 16 lower-case letters, digits and hyphens"),
              "gatehouse",
              "The name of this deployment in the stores of `storage: shared`; the same for all its nodes. Each deployment needs its own "
                  + "database, and its own name in one Valkey."),
          KEYS.key(
              "masterKey", SharedYaml.MASTER_KEY, "e.g. ${GATEHOUSE_MASTER_KEY}",
              "Seals the keys in the database of `storage: shared`; the same for all nodes. 32 bytes in base64: `openssl rand -base64 32`. "
                  + "Keep a copy: without it the keys and all sealed secrets are lost."));
  private static final Key<Void> OTP =
      KEYS.section("otp", RadiusYaml.OtpYaml.KEYS, "This server among several that check one-time passwords, each with a database of its own.");
  private static final Key<Void> TOKENS =
      KEYS.namedSections(
          "pkcs11", Pkcs11Yaml.KEYS,
          "PKCS#11 tokens with private keys, by names under which `keys.pkcs11` of the realms names them.");
  private static final Key<Path> DATA = KEYS.key("data", Type.PATH, "data", "Folder of storage, made keys and fetched metadata.");
  private static final Key<Cidr> PROXIES =
      KEYS.list(
          "trustedProxies", Type.CIDR, "[]",
          "Proxies and balancers whose statements about clients count, by `forwardedFields` or `proxyProtocol`, e.g. "
              + "`[10.0.0.0/8, 192.0.2.7]`.");
  private static final Key<ForwardedFields> FORWARDED =
      KEYS.key(
          "forwardedFields", Type.choice(ForwardedFields.class), "xForwarded",
          "The fields that `trustedProxies` write: `xForwarded` (`X-Forwarded-For`, `-Proto`, `-Host`, `-Port`) or `forwarded` "
              + "(RFC 7239). The other ones are ignored, because a proxy passes them on as a client wrote them.");
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
    Storage storage = root.get(STORAGE);
    YamlSection realms = root.sectionOrEmpty(REALMS);
    if (storage == Storage.SHARED && realms.says(SOURCE, "files")) {
      realms.problem(
          SOURCE, "is files, so that each node would have its own configuration", "remove it: shared storage holds the configuration");
    }
    YamlSection outbound = root.sectionOrEmpty(CALLS);
    TrustedProxies proxies = new TrustedProxies(root.all(PROXIES), root.get(FORWARDED));
    if (proxies.isEmpty() && root.has(FORWARDED)) {
      root.problem(FORWARDED, "has no effect without trustedProxies", "name the proxies in trustedProxies, or remove the key");
    }
    Node.Listeners listeners = new ListenersYaml(root.sectionOrEmpty(LISTENERS), proxies).read();
    return new Node(
        roles,
        listeners.with(root.section(ADMIN).flatMap(admin -> AdminLoginYaml.read(admin, listeners.admin(), roles))),
        new Node.State(
            storage, data, SharedYaml.read(root, SHARED, RadiusYaml.OtpYaml.read(root, OTP, storage), storage), Pkcs11Yaml.read(root.namedSections(TOKENS))), proxies,
        AuditYaml.read(root.sectionOrEmpty(AUDIT_LOG), data),
        index(storage), new Outbound(
            outbound.all(ALLOW), outbound.get(CA, List.of()), root.section(MAIL).flatMap(MailYaml::server)),
        GatewayNodeYaml.read(root), space(root.sectionOrEmpty(FREE_SPACE)));
  }

  private OptionalInt index(Storage storage) {
    OptionalInt index = root.get(INDEX, storage == Storage.SHARED ? OptionalInt.empty() : OptionalInt.of(0));
    if (index.isEmpty() && storage != Storage.SHARED) {
      root.problem(INDEX, "is auto, but this node shares no table of nodes with others", "write the number of this node, or storage: shared");
      return OptionalInt.of(0);
    }
    return index;
  }

  private static Optional<OptionalInt> index(YamlValue value) {
    return value.text().equals("auto") ? Optional.of(OptionalInt.empty()) : value.integer(0, LAST_INDEX).map(OptionalInt::of);
  }

  /** Returns the place of the realms. */
  Configuration.Source source() {
    Configuration.Source usual = root.says(STORAGE, "shared") ? Configuration.Source.DATABASE : Configuration.Source.FILES;
    return root.sectionOrEmpty(REALMS).get(SOURCE, usual);
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

  /** Reads {@code tracing} of {@code gatehouse.yaml}. */
  static final class TracingYaml {

    static final Section KEYS = new Section();
    private static final Key<URI> ENDPOINT =
        KEYS.required(
            "endpoint", Type.URL, "http://127.0.0.1:4318/v1/traces",
            "write the URL at which the collector takes spans by OTLP over HTTP, like http://127.0.0.1:4318/v1/traces",
            "The collector's URL for spans (OTLP over HTTP).");
    private static final Key<Double> SAMPLE =
        KEYS.key(
            "sample", Type.matching("percentage, 0% to 100%", "^\\d{1,3}(\\.\\d{1,4})?%$", TracingYaml::share), "1%",
            "Share of requests that are sampled. A decision in `traceparent` of one of `trustedProxies` counts instead.");
    private static final Key<String> SERVICE =
        KEYS.key("service", Type.NAME, "gatehouse", "The name of this service in traces (`service.name`).");
    private static final Key<Secret> AUTHORIZATION =
        KEYS.key(
            "authorization", Type.secret(TracingYaml::authorization), "e.g. Bearer ${COLLECTOR_TOKEN}",
            "The value of `Authorization` for the collector; needs https, or a collector on this machine.");

    private TracingYaml() {}

    static Optional<TracingConfig> read(YamlSection tracing) {
      double share = tracing.get(SAMPLE);
      Optional<Secret> authorization = tracing.find(AUTHORIZATION);
      Optional<URI> endpoint = tracing.find(ENDPOINT);
      boolean isClear = endpoint.filter(url -> url.getScheme().equalsIgnoreCase("http") && !Loopback.isName(url.getHost())).isPresent();
      if (authorization.isPresent() && isClear) {
        tracing.problem(AUTHORIZATION, "would cross the network in clear text", "write an https endpoint");
      }
      return endpoint.map(url -> new TracingConfig(url, share, tracing.get(SERVICE), authorization));
    }

    /** The exporter's message about a value that no header field can have would repeat it in the log. */
    private static Optional<Secret> authorization(YamlValue value) {
      return value.text().chars().allMatch(character -> character >= ' ' && character <= '~')
          ? value.secret()
          : value.wrong(
              "has a line break, or another character that is not printable ASCII",
              "write a value of one line; that of a variable may end in a line break");
    }

    private static Optional<Double> share(YamlValue value) {
      String text = value.text();
      if (text.matches("\\d{1,3}(\\.\\d{1,4})?%")) {
        double percent = Double.parseDouble(text.substring(0, text.length() - 1));
        if (percent <= 100) {
          return Optional.of(percent / 100);
        }
      }
      return value.wrong(value.shown() + " is not a share of the requests", "write a percentage from 0% to 100%, like 1%");
    }
  }

  /** Reads {@code admin} of {@code gatehouse.yaml}. */
  static final class AdminLoginYaml {

    static final Section KEYS = new Section();
    static final Key<String> REALM =
        KEYS.required(
            "realm",
            Type.matching(
                "name of a realm", ConfigurationFiles.REALM_NAME, "is not the name of a realm", "use lower-case letters, digits and hyphens"),
            "staff", "name the realm whose people may be administrators",
            "The realm whose people may be given roles of administrators; they log in to the console at its identity provider.");
    private static final Key<Origin> PUBLIC_URL =
        KEYS.key(
            "publicUrl", Type.ORIGIN, "e.g. https://gatehouse.example.org:8081",
            "The origin at which browsers reach the admin listener. Default, on loopback: `localhost` with the listener's port.");

    private AdminLoginYaml() {}

    static Optional<AdminLogin> read(YamlSection admin, Listener listener, Set<Role> roles) {
      Optional<String> realm = admin.find(REALM);
      if (realm.isPresent() && !roles.contains(Role.IDP)) {
        admin.problem(REALM, "names a realm, but this node has no identity provider", "add idp to roles, or remove admin");
      }
      Optional<Origin> origin = admin.find(PUBLIC_URL).or(() -> ofLoopback(listener));
      if (realm.isPresent() && origin.isEmpty() && !admin.has(PUBLIC_URL)) {
        admin.problem(
            REALM, "needs publicUrl: the origin of a listener on this address and port cannot be known",
            "add publicUrl, the origin at which browsers reach listeners.admin");
      }
      return realm.flatMap(name -> origin.map(url -> new AdminLogin(name, url)));
    }

    private static Optional<Origin> ofLoopback(Listener listener) {
      int port = listener.address().getPort();
      return port > 0 && listener.address().getAddress().isLoopbackAddress()
          ? Optional.of(new Origin(listener.tls().isPresent() ? "https" : "http", "localhost", port))
          : Optional.empty();
    }
  }
}
