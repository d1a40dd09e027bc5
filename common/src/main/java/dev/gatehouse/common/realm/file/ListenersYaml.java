package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.common.node.Node.Listeners;
import dev.gatehouse.common.node.Node.RadiusListener;
import dev.gatehouse.common.node.Node.Tls;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads {@code listeners} of the node. */
final class ListenersYaml {

  /** A certificate and its key. */
  private record TlsKeys(Key<YamlValue> certificate, Key<YamlValue> privateKey) {
    static TlsKeys in(Section keys) {
      return new TlsKeys(
          keys.key("certificate", Type.FILE, "e.g. tls/idp.pem", "PEM chain, with `privateKey`: the listener speaks TLS."),
          keys.key("privateKey", Type.SECRET_FILE, "e.g. tls/idp.key", "The key of `certificate`: PKCS#8 PEM, not encrypted."));
    }

    Optional<Tls> read(YamlSection section) {
      Optional<YamlValue> chain = section.find(certificate);
      Optional<YamlValue> key = section.find(privateKey);
      if (chain.isPresent() != key.isPresent()) {
        Key<?> there = chain.isPresent() ? certificate : privateKey;
        Key<?> missing = chain.isPresent() ? privateKey : certificate;
        section.problem(there, "stands without " + missing, "write both for TLS, or neither");
        return Optional.empty();
      }
      return chain
          .flatMap(pem -> key.flatMap(k -> Pems.pair(k, pem)))
          .map(pem -> new Tls(pem.certificate(), pem.privateKey()));
    }
  }

  /** The keys that a kind of listener has, with the defaults of this kind; none for TLS where the kind has none. */
  private record ListenerKeys(
      Section section, Key<InetAddress> address, Key<Integer> port, Optional<TlsKeys> tls, Optional<Key<Boolean>> proxyProtocol) {

    /** Of a listener for people and clients, which may be behind a balancer. */
    static ListenerKeys open(String address, int port) {
      ListenerKeys keys = of(address, port);
      Key<Boolean> proxyProtocol =
          keys.section.key(
              "proxyProtocol", Type.BOOL, "false",
              "Each connection begins with a PROXY header (version 1 or 2), before TLS. Connections without it, or of others than "
                  + "`trustedProxies`, are closed.");
      return new ListenerKeys(keys.section, keys.address, keys.port, keys.tls, Optional.of(proxyProtocol));
    }

    static ListenerKeys of(String address, int port) {
      Section keys = new Section();
      ListenerKeys plain = plain(keys, address, port);
      return new ListenerKeys(keys, plain.address, plain.port, Optional.of(TlsKeys.in(keys)), Optional.empty());
    }

    static ListenerKeys plain(Section keys, String address, int port) {
      return new ListenerKeys(
          keys,
          keys.key("address", Type.ADDRESS, address, "An IP address of this machine, `localhost`, or `*` for all."),
          keys.key("port", Type.integer(0, 65535), Integer.toString(port), "The port; 0 takes a free one."),
          Optional.empty(),
          Optional.empty());
    }

    Listener read(YamlSection listener) {
      InetSocketAddress at = new InetSocketAddress(listener.get(address), listener.get(port));
      return new Listener(
          at, tls.flatMap(keys -> keys.read(listener)), List.of(), Optional.empty(),
          proxyProtocol.filter(listener::get).isPresent());
    }
  }

  private static final ListenerKeys IDP = ListenerKeys.open("*", 8080);
  private static final ListenerKeys GATEWAY = ListenerKeys.open("*", 8000);
  private static final ListenerKeys ADMIN = ListenerKeys.of("127.0.0.1", 8081);
  private static final ListenerKeys CERTIFICATE_LOGIN = ListenerKeys.open("*", 8444);
  private static final ListenerKeys CLIENT_CERTIFICATES = ListenerKeys.open("*", 8445);
  private static final ListenerKeys RADIUS = ListenerKeys.plain(new Section(), "*", 1812);
  private static final ListenerKeys RADSEC = ListenerKeys.of("*", 2083);
  private static final ListenerKeys METRICS = ListenerKeys.plain(new Section(), "127.0.0.1", 8082);

  private static final Section FURTHER = new Section();
  private static final TlsKeys FURTHER_TLS = TlsKeys.in(FURTHER);
  private static final Key<Void> FURTHER_CERTIFICATES =
      GATEWAY.section().sections(
          "certificates", FURTHER, "Further certificates, for clients that send the name of a host that they cover.");
  private static final Section ASKING = new Section();
  private static final Key<Path> AUTHORITIES =
      ASKING.required(
          "ca", Pems.AUTHORITIES.then("PEM file", (v, read) -> Optional.of(v.onDisk())), "tls/people-ca.pem",
          "name the PEM file of the authorities whose certificates count", "Authorities whose certificates count.");
  private static final Key<Void> ASKED_FOR =
      GATEWAY.section().section(
          "clientCertificates", ASKING,
          "Clients are asked for a certificate, but need not have one: for routes with `contract: certificate`. Needs TLS.");

  private static final Key<String> RADIUS_REALM = radiusRealm(RADIUS.section());
  private static final Key<String> RADSEC_REALM = radiusRealm(RADSEC.section());
  private static final Key<Path> RADSEC_AUTHORITIES =
      RADSEC.section().required(
          "ca", Pems.AUTHORITIES.then("PEM file", (v, read) -> Optional.of(v.onDisk())), "tls/radius-ca.pem",
          "name the PEM file of the authorities of clients' certificates", "Authorities of clients' certificates.");

  static final Section KEYS = new Section();
  private static final Key<Void> IDP_LISTENERS = KEYS.sections("idp", IDP.section(), "Listeners of the identity provider.");
  private static final Key<Void> GATEWAY_LISTENERS = KEYS.sections("gateway", GATEWAY.section(), "Listeners of the gateway.");
  private static final Key<Void> ADMIN_LISTENER =
      KEYS.section(
          "admin", ADMIN.section(), "The listener of the administration; other addresses than loopback need a certificate.");
  private static final Key<Void> LOGIN =
      KEYS.section(
          "certificateLogin", CERTIFICATE_LOGIN.section(),
          "A listener that asks people for client certificates, for `idp.contracts.certificate`; none unless configured. Needs "
              + "a certificate.");
  private static final Key<Void> CLIENTS =
      KEYS.section(
          "clientCertificates", CLIENT_CERTIFICATES.section(),
          "A listener that takes any client certificate, for OAuth clients; none unless configured. Needs a certificate.");
  private static final Key<Void> METRICS_LISTENER =
      KEYS.section(
          "metrics", METRICS.section(),
          "A listener of `/metrics`, `/health`, `/health/live`, `/health/ready` and `/health/serving` alone, by plain HTTP; none unless configured.");

  static final Key<Void> RADIUS_LISTENERS =
      KEYS.sections(
          "radius", RADIUS.section(),
          "Listeners for RADIUS over UDP; none unless configured. Each takes authentication, accounting and Status-Server.");
  static final Key<Void> RADSEC_LISTENERS =
      KEYS.sections(
          "radsec", RADSEC.section(), "Listeners for RADIUS over TLS (RFC 6614); none unless configured. They need a certificate.");

  private static Key<String> radiusRealm(Section section) {
    return section.required(
        "realm",
        Type.matching(
            "name of a realm", ConfigurationFiles.REALM_NAME, "is not the name of a realm", "use lower-case letters, digits and hyphens"),
        "staff", "name the realm whose people and clients it serves", "The realm with `radius`, whose people and clients it serves.");
  }

  private final YamlSection listeners;
  private final TrustedProxies proxies;
  private final List<ListenerSection> all = new ArrayList<>();

  ListenersYaml(YamlSection listeners, TrustedProxies proxies) {
    this.listeners = listeners;
    this.proxies = proxies;
  }

  /** A listener, with its section and the section's keys. */
  private record ListenerSection(YamlSection section, ListenerKeys keys, Listener listener) {
    /** Ports of UDP are others than those of TCP. */
    boolean isUdp() {
      return keys == RADIUS;
    }
  }

  Listeners read() {
    Listeners read =
        new Listeners(
            several(IDP_LISTENERS, IDP), several(GATEWAY_LISTENERS, GATEWAY), admin(), asking(LOGIN, CERTIFICATE_LOGIN),
            asking(CLIENTS, CLIENT_CERTIFICATES), listeners.section(METRICS_LISTENER).map(section -> add(section, METRICS)),
            Optional.empty(), Stream.concat(radius(RADIUS_LISTENERS, RADIUS), radius(RADSEC_LISTENERS, RADSEC)).toList());
    collisions();
    return read;
  }

  private Listener add(YamlSection section, ListenerKeys keys) {
    Listener plain = keys.read(section);
    Listener listener = keys == GATEWAY ? withCertificates(section, plain) : plain;
    all.add(new ListenerSection(section, keys, listener));
    if (listener.proxyProtocol() && proxies.isEmpty()) {
      section.problem(
          keys.proxyProtocol().orElseThrow(), "would close every connection, because no proxy is trusted",
          "name the balancer's address in trustedProxies");
    }
    return listener;
  }

  private List<Listener> several(Key<?> key, ListenerKeys keys) {
    List<YamlSection> sections = listeners.has(key) ? listeners.sections(key) : List.of(listeners.sectionOrEmpty(key));
    return sections.stream().map(section -> add(section, keys)).toList();
  }

  /** Adds the settings of the gateway's listeners only: several certificates, and certificates of clients. */
  private static Listener withCertificates(YamlSection section, Listener plain) {
    List<Tls> certificates = new ArrayList<>();
    for (YamlSection one : section.sections(FURTHER_CERTIFICATES)) {
      FURTHER_TLS.read(one).ifPresent(certificates::add);
      if (one.isEmpty()) {
        section.problem(FURTHER_CERTIFICATES, "names no file", "write certificate and privateKey");
      }
    }
    Optional<Path> authorities = section.section(ASKED_FOR).flatMap(asked -> asked.find(AUTHORITIES));
    Optional<Tls> first = plain.tls().or(() -> certificates.stream().findFirst());
    List<Tls> further = plain.tls().isPresent() ? certificates : certificates.stream().skip(1).toList();
    if (section.has(ASKED_FOR) && first.isEmpty()) {
      section.problem(ASKED_FOR, "needs TLS", "add certificate and privateKey");
    }
    return new Listener(plain.address(), first, List.copyOf(further), authorities, plain.proxyProtocol());
  }

  private Listener admin() {
    YamlSection section = listeners.sectionOrEmpty(ADMIN_LISTENER);
    Listener listener = add(section, ADMIN);
    if (listener.tls().isEmpty() && !listener.address().getAddress().isLoopbackAddress()) {
      section.problem(
          ADMIN.address(), "would carry the administrator key in clear text", "add certificate and privateKey, or use 127.0.0.1");
    }
    return listener;
  }

  /** Reads a listener that asks for client certificates; it exists only if it is configured. */
  private Optional<Listener> asking(Key<?> key, ListenerKeys keys) {
    Optional<YamlSection> section = listeners.section(key);
    Optional<Listener> listener = section.map(s -> add(s, keys));
    if (listener.filter(l -> l.tls().isEmpty()).isPresent()) {
      section.get().problem(keys.tls().orElseThrow().certificate(), "is missing: client certificates need TLS", "add certificate and privateKey");
    }
    return listener;
  }

  private Stream<RadiusListener> radius(Key<?> key, ListenerKeys keys) {
    List<RadiusListener> read = new ArrayList<>();
    for (YamlSection section : listeners.sections(key)) {
      Listener plain = add(section, keys);
      boolean isSecure = keys == RADSEC;
      if (isSecure && plain.tls().isEmpty()) {
        section.problem(
            keys.tls().orElseThrow().certificate(), "is missing: RADIUS over TCP needs TLS", "add certificate and privateKey");
      }
      Optional<Path> authorities = isSecure ? section.find(RADSEC_AUTHORITIES) : Optional.empty();
      section.find(isSecure ? RADSEC_REALM : RADIUS_REALM).ifPresent(
          realm -> read.add(new RadiusListener(realm, new Listener(plain.address(), plain.tls(), List.of(), authorities))));
    }
    return read.stream();
  }

  private void collisions() {
    for (int i = 0; i < all.size(); i++) {
      ListenerSection one = all.get(i);
      all.subList(0, i).stream()
          .filter(other -> one.isUdp() == other.isUdp() && collide(one.listener().address(), other.listener().address()))
          .findFirst()
          .ifPresent(
              other ->
                  one.section()
                      .problem(
                          one.keys().port(),
                          one.listener().address().getPort() + " is also the port of " + other.section().path(),
                          "give each listener its own port"));
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
}
