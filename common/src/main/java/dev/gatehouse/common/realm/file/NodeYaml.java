package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.Node;
import dev.gatehouse.common.realm.Node.AuditConfig;
import dev.gatehouse.common.realm.Node.Listener;
import dev.gatehouse.common.realm.Node.Listeners;
import dev.gatehouse.common.realm.Node.Outbound;
import dev.gatehouse.common.realm.Node.Storage;
import dev.gatehouse.common.realm.Node.Tls;
import dev.gatehouse.common.realm.Role;
import dev.gatehouse.common.realm.SpaceConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code gatehouse.yaml}. */
final class NodeYaml {

  private static final Map<String, Role> ROLES = new LinkedHashMap<>();

  static {
    ROLES.put("idp", Role.IDP);
    ROLES.put("sp", Role.SP);
    ROLES.put("gateway", Role.GATEWAY);
  }

  private final YamlSection root;

  NodeYaml(YamlSection root) {
    this.root = root;
  }

  Node read() {
    Set<Role> roles = roles();
    Listeners listeners = listeners();
    Storage storage =
        root.read(
            "storage",
            Storage.EMBEDDED,
            v -> v.choice(Map.of("embedded", Storage.EMBEDDED, "volatile", Storage.VOLATILE)));
    Path data = root.value("data").or(() -> root.assumed("data", "data")).map(YamlValue::path).orElseThrow();
    List<Cidr> proxies = root.values("trustedProxies").stream().flatMap(v -> v.cidr().stream()).toList();
    int index = root.read("index", 0, v -> v.integer(0, 65535));
    return new Node(roles, listeners, storage, data, proxies, audit(data), index, outbound(), new GatewayNodeYaml(root).read(), space());
  }

  private Outbound outbound() {
    YamlSection outbound = root.sectionOrEmpty("outbound");
    return new Outbound(
        outbound.values("allow").stream().flatMap(v -> v.cidr().stream()).toList(),
        outbound.value("ca").flatMap(ContractsYaml::authorities).orElse(List.of()));
  }

  private SpaceConfig space() {
    YamlSection space = root.sectionOrEmpty("space");
    SpaceConfig usual = SpaceConfig.USUAL;
    long low = space.read("low", usual.low(), v -> v.size(1L << 20, 1L << 40));
    long warning = space.read("warning", Math.max(usual.warning(), low), v -> v.size(1L << 20, 1L << 40));
    long reserve = space.read("reserve", Math.min(usual.reserve(), low), v -> v.size(64L << 10, 1L << 40));
    if (warning < low) {
      space.problem("warning", "comes after new sign-ons are refused (low: " + low + " bytes)", "write at least as much as low");
    }
    if (reserve > low) {
      space.problem("reserve", "is more than low (" + low + " bytes), below which it is needed", "write at most as much as low");
    }
    return new SpaceConfig(warning, low, reserve);
  }

  private Set<Role> roles() {
    if (!root.has("roles")) {
      root.values("roles");
      return Set.copyOf(EnumSet.allOf(Role.class));
    }
    Set<Role> roles = EnumSet.noneOf(Role.class);
    root.values("roles").forEach(v -> v.choice(ROLES).ifPresent(roles::add));
    if (roles.isEmpty()) {
      root.problem("roles", "names no role", "write one or more of idp, sp, gateway, or remove the key for all three");
    }
    return Set.copyOf(roles);
  }

  private Listeners listeners() {
    YamlSection listeners = root.sectionOrEmpty("listeners");
    Map<String, List<ListenerSection>> byName = new LinkedHashMap<>();
    byName.put("idp", several(listeners, "idp", 8080));
    byName.put("gateway", several(listeners, "gateway", 8000).stream().map(NodeYaml::more).toList());
    byName.put("admin", List.of(admin(listeners)));
    byName.put("certificateLogin", asking(listeners, "certificateLogin", 8444));
    byName.put("clientCertificates", asking(listeners, "clientCertificates", 8445));
    collisions(byName.values().stream().flatMap(List::stream).toList());
    return new Listeners(
        byName.get("idp").stream().map(ListenerSection::listener).toList(),
        byName.get("gateway").stream().map(ListenerSection::listener).toList(),
        byName.get("admin").getFirst().listener(),
        byName.get("certificateLogin").stream().map(ListenerSection::listener).findFirst(),
        byName.get("clientCertificates").stream().map(ListenerSection::listener).findFirst());
  }

  /** A listener and its section. */
  private record ListenerSection(YamlSection section, Listener listener) {}

  private static List<ListenerSection> several(YamlSection listeners, String name, int port) {
    if (!listeners.has(name)) {
      YamlSection assumed = listeners.sectionOrEmpty(name);
      return List.of(new ListenerSection(assumed, listener(assumed, "*", port)));
    }
    return listeners.sections(name).stream().map(s -> new ListenerSection(s, listener(s, "*", port))).toList();
  }

  /** Adds the settings of the gateway's listeners only: several certificates, and certificates of clients. */
  private static ListenerSection more(ListenerSection listenerSection) {
    YamlSection section = listenerSection.section();
    List<Tls> certificates =
        section.sections("certificates").stream()
            .flatMap(
                one -> {
                  Optional<Tls> tls = tls(one);
                  if (!one.has("certificate") && !one.has("privateKey")) {
                    section.problem("certificates", "names no file", "write certificate and privateKey");
                  }
                  return tls.stream();
                })
            .toList();
    Optional<Path> authorities =
        section
            .section("clientCertificates")
            .flatMap(
                asked ->
                    asked.required(
                        "ca",
                        v -> ContractsYaml.authorities(v).map(read -> v.path()),
                        "name the PEM file of the authorities whose certificates count"));
    Listener plain = listenerSection.listener();
    Optional<Tls> first = plain.tls().or(() -> certificates.stream().findFirst());
    List<Tls> further = plain.tls().isPresent() ? certificates : certificates.stream().skip(1).toList();
    if (section.has("clientCertificates") && first.isEmpty()) {
      section.problem("clientCertificates", "needs TLS", "add certificate and privateKey");
    }
    return new ListenerSection(section, new Listener(plain.address(), first, further, authorities));
  }

  private static ListenerSection admin(YamlSection listeners) {
    YamlSection section = listeners.sectionOrEmpty("admin");
    Listener listener = listener(section, "127.0.0.1", 8081);
    if (listener.tls().isEmpty() && !listener.address().getAddress().isLoopbackAddress()) {
      section.problem(
          "address",
          "would carry the administrator key in clear text",
          "add certificate and privateKey, or use 127.0.0.1");
    }
    return new ListenerSection(section, listener);
  }

  /** Reads a listener that asks for client certificates; it exists only if it is configured. */
  private static List<ListenerSection> asking(YamlSection listeners, String name, int port) {
    Optional<YamlSection> section = listeners.section(name);
    if (section.isEmpty()) {
      return List.of();
    }
    Listener listener = listener(section.get(), "*", port);
    if (listener.tls().isEmpty()) {
      section.get().problem("certificate", "is missing: client certificates need TLS", "add certificate and privateKey");
    }
    return List.of(new ListenerSection(section.get(), listener));
  }

  private static Listener listener(YamlSection section, String address, int port) {
    InetAddress host =
        section.value("address").or(() -> section.assumed("address", address)).flatMap(YamlValue::address).orElse(ANY);
    int number = section.read("port", port, v -> v.integer(0, 65535));
    return new Listener(new InetSocketAddress(host, number), tls(section));
  }

  private static final InetAddress ANY = new InetSocketAddress(0).getAddress();

  private static Optional<Tls> tls(YamlSection section) {
    Optional<YamlValue> certificate = section.value("certificate");
    Optional<YamlValue> privateKey = section.value("privateKey");
    if (certificate.isPresent() != privateKey.isPresent()) {
      String there = certificate.isPresent() ? "certificate" : "privateKey";
      String missing = certificate.isPresent() ? "privateKey" : "certificate";
      section.problem(there, "stands without " + missing, "write both for TLS, or neither");
      return Optional.empty();
    }
    if (certificate.isEmpty() || privateKey.isEmpty()) {
      return Optional.empty();
    }
    return KeyYaml.pem(privateKey.get(), certificate.get()).map(pem -> new Tls(pem.certificate(), pem.privateKey()));
  }

  private static void collisions(List<ListenerSection> all) {
    List<ListenerSection> seen = new ArrayList<>();
    for (ListenerSection one : all) {
      seen.stream()
          .filter(other -> collide(one.listener().address(), other.listener().address()))
          .findFirst()
          .ifPresent(
              other ->
                  one.section()
                      .problem(
                          "port",
                          one.listener().address().getPort() + " is also the port of " + other.section().path(),
                          "give each listener its own port"));
      seen.add(one);
    }
  }

  private static boolean collide(InetSocketAddress a, InetSocketAddress b) {
    boolean samePort = a.getPort() == b.getPort() && a.getPort() != 0;
    boolean sameAddress =
        a.getAddress().equals(b.getAddress())
            || a.getAddress().isAnyLocalAddress()
            || b.getAddress().isAnyLocalAddress();
    return samePort && sameAddress;
  }

  private AuditConfig audit(Path data) {
    YamlSection audit = root.sectionOrEmpty("audit");
    return new AuditConfig(
        audit.value("directory").map(YamlValue::path).orElse(data.resolve("audit")),
        audit.read("maxFileSize", 64L << 20, v -> v.size(64L << 10, 16L << 30)),
        audit.read("keep", Duration.ofDays(365), v -> v.duration(Duration.ofDays(1), Duration.ofDays(36_500))));
  }
}
