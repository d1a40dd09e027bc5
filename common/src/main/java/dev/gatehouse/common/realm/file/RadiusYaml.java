package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.Realm.RadiusConfig;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Attributes;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Client;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Reply;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads {@code radius} of a realm, and {@link OtpYaml otp} of a node. */
final class RadiusYaml {

  /** The most bytes of a text attribute (RFC 2865, section 5). */
  private static final int MOST_BYTES = 253;

  /** As few as RFC 2865, section 3, recommends at least. */
  private static final int LEAST_SECRET = 16;

  private static final Type<String> ATTRIBUTE = Type.text("text, up to 253 bytes", RadiusYaml::attribute);

  private static final Section CLIENT = new Section();
  private static final Key<Cidr> ADDRESSES =
      CLIENT.list("addresses", Type.CIDR, "e.g. [192.0.2.10]", "Where its packets over UDP come from; the longest block counts. Needs `secret`.");
  private static final Key<Secret> SECRET =
      CLIENT.key(
          "secret", Type.SECRET, "e.g. ${VPN_SECRET}",
          "The secret shared with the client, for UDP: at least 16 bytes, on loopback fewer. `openssl rand -base64 24` makes one.");
  private static final Key<String> CERTIFICATE =
      CLIENT.key(
          "certificate",
          Type.matching(
              "DNS name", "([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*",
              "is not a DNS name", "write the name in the certificate's subjectAltName, like vpn.example.org").reaching(Reach.NAME_ONLY),
          "e.g. vpn.example.org",
          "For RadSec: a DNS name in the client's certificate (subjectAltName), which an authority of `listeners.radsec.ca` issued.");
  private static final Key<String> CLIENT_ROLES =
      CLIENT.list("roles", Type.NAME, "[]", "People must have one of these roles; anybody with a token may come in unless configured.");
  private static final Key<Boolean> VISITORS =
      CLIENT.key(
          "visitors", Type.BOOL, "false",
          "Whether people of `otp.visitors.trusts` may come in by it, too. The Access-Accept has their name in User-Name; a client that makes "
              + "local accounts of typed names must not have it.");
  private static final Key<String> LANGUAGE =
      CLIENT.key("language", Type.words("en", "de"), "en", "The language of what people read, because RADIUS does not tell theirs.");
  private static final Key<Boolean> SHOWS_PINS =
      CLIENT.key(
          "showsPins", Type.BOOL, "false",
          "`true`: PINs that the server makes are sent to the client, over RadSec or on loopback, because it shows them itself. A proxy"
              + " would pass them on in the clear.");

  private static final Section REPLY = new Section();
  private static final Key<String> REPLY_ROLES =
      REPLY.list("roles", Type.NAME, "[]", "It fits people with one of these roles; anybody unless configured.");
  private static final Key<String> REPLY_CLIENTS =
      REPLY.list("clients", Type.NAME, "[]", "It fits at clients with these names; at all unless configured.");
  private static final Key<String> FILTER_ID = REPLY.key("filterId", ATTRIBUTE, "e.g. staff", "Filter-Id: the name of a filter at the client.");
  private static final Key<String> CLASS =
      REPLY.key("class", ATTRIBUTE, "e.g. staff", "Class: what the client repeats in its accounting; some VPN servers choose a group by it.");
  private static final Key<String> VLAN =
      REPLY.key(
          "vlan", Type.text("text, up to 249 bytes", v -> attribute(v, 249)), "e.g. 20",
          "Number or name of a VLAN: Tunnel-Type 13, Tunnel-Medium-Type 6 and Tunnel-Private-Group-ID.");
  private static final Key<Duration> SESSION_TIMEOUT =
      REPLY.key("sessionTimeout", Type.duration("1m", "30d"), "e.g. 8h", "Session-Timeout: when the client ends the session.");

  static final Section KEYS = new Section();
  private static final Key<Void> CLIENTS =
      KEYS.namedSections("clients", CLIENT, "VPN servers, Wi-Fi gateways and proxies by their names; packets of others get no answer.");
  private static final Key<Void> REPLIES =
      KEYS.sections(
          "replies", REPLY,
          "What a client is told about an accepted person, by role: the first one that fits. If there are some and none fits, the person is "
              + "rejected.");

  private RadiusYaml() {}

  static RadiusConfig read(YamlSection radius) {
    Map<String, YamlSection> named = radius.namedSections(CLIENTS);
    if (named.isEmpty()) {
      radius.problem(CLIENTS, "names nobody who may ask", "add a client with addresses and secret, or remove radius");
    }
    List<Client> clients = new ArrayList<>();
    named.forEach(
        (name, section) -> {
          if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            radius.problem(CLIENTS, "has a client with the name `" + name + "`", "use up to 64 letters, digits and . _ -");
          }
          clients.add(client(name, section));
        });
    unique(named, clients);
    List<Reply> replies = radius.sections(REPLIES).stream().map(section -> reply(section, named.keySet())).toList();
    return new RadiusConfig(List.copyOf(clients), replies);
  }

  private static Client client(String name, YamlSection section) {
    List<Cidr> addresses = section.all(ADDRESSES);
    Optional<Secret> secret = section.find(SECRET);
    Optional<String> certificate = section.find(CERTIFICATE).map(dns -> dns.toLowerCase(Locale.ROOT));
    if (!section.has(SECRET) && !section.has(CERTIFICATE)) {
      section.problem(SECRET, "is missing, and certificate too", "write addresses and secret for UDP, or certificate for RadSec, or all three");
    } else if (section.has(ADDRESSES) != section.has(SECRET)) {
      section.problem(
          section.has(SECRET) ? SECRET : ADDRESSES,
          section.has(SECRET) ? "stands without addresses" : "stand without secret",
          "write both for UDP, or neither");
    }
    boolean isLoopback = addresses.stream().allMatch(block -> block.network().isLoopbackAddress());
    if (!isLoopback && secret.filter(s -> s.value().getBytes(StandardCharsets.UTF_8).length < LEAST_SECRET).isPresent()) {
      section.problem(
          SECRET, "has fewer than " + LEAST_SECRET + " bytes, so that whoever reads one packet can guess it",
          "make one by `openssl rand -base64 24`");
    }
    return new Client(
        name, addresses, secret, certificate, Set.copyOf(section.all(CLIENT_ROLES)), section.get(VISITORS), section.get(LANGUAGE),
        section.get(SHOWS_PINS));
  }

  /** A packet belongs to one client: no two have the same block of addresses or the same name in their certificates. */
  private static void unique(Map<String, YamlSection> sections, List<Client> clients) {
    Map<Object, String> owners = new HashMap<>();
    for (Client client : clients) {
      YamlSection section = Objects.requireNonNull(sections.get(client.name()));
      for (Cidr block : client.addresses()) {
        String other = owners.putIfAbsent(block, client.name());
        if (other != null) {
          section.problem(
              ADDRESSES,
              block.network().getHostAddress() + "/" + block.prefixLength() + (other.equals(client.name()) ? " is there twice" : " is also of " + other),
              "give each client addresses of its own");
        }
      }
      client.certificate().map(name -> owners.putIfAbsent(name, client.name())).ifPresent(
          other -> section.problem(CERTIFICATE, "is also of " + other, "give each client a certificate of its own"));
    }
  }

  private static Reply reply(YamlSection section, Set<String> known) {
    List<String> clients = section.all(REPLY_CLIENTS);
    clients.stream()
        .filter(name -> !known.contains(name))
        .forEach(name -> section.problem(REPLY_CLIENTS, "`" + name + "` is not one of radius.clients", "write one of " + String.join(", ", known)));
    return new Reply(
        Set.copyOf(section.all(REPLY_ROLES)), Set.copyOf(clients),
        new Attributes(section.find(FILTER_ID), section.find(CLASS), section.find(VLAN), section.find(SESSION_TIMEOUT)));
  }

  private static Optional<String> attribute(YamlValue value) {
    return attribute(value, MOST_BYTES);
  }

  private static Optional<String> attribute(YamlValue value, int most) {
    return value.string().flatMap(
        text ->
            text.getBytes(StandardCharsets.UTF_8).length <= most
                ? Optional.of(text)
                : value.wrong("has more than " + most + " bytes", "write a shorter text"));
  }

  /** Reads {@code otp} of {@code gatehouse.yaml}. */
  static final class OtpYaml {

    /** One primary and ten replicas. */
    private static final int MOST_SERVERS = 11;

    private static final String NAME = "[a-z][a-z0-9]{0,15}";
    private static final String NAME_REMEDY = "use up to 16 lower-case letters and digits, and begin with a letter";

    static final Section KEYS = new Section();
    private static final Key<OtpServerConfig.Role> ROLE =
        KEYS.required(
            "role", Type.choice(OtpServerConfig.Role.class), "primary", "write primary or replica",
            "`primary`: is administered. `replica`: follows the primary's database, and answers RADIUS and agents only.");
    private static final Key<String> SERVER =
        KEYS.required(
            "server", Type.matching("name", NAME, "is not a name", NAME_REMEDY), "berlin", NAME_REMEDY, "The name of this server among them.");
    private static final Key<Void> SERVERS =
        KEYS.namedSections(
            "servers", SharedYaml.POSTGRESQL,
            "The PostgreSQL databases of the servers by their names, the same at all of them; a replica follows the primary's, and writes there "
                + "what an authentication changes. The user needs `replication` at the primary.");
    private static final Key<Duration> ISOLATED =
        KEYS.key(
            "isolated", Type.duration("0s", "24h"), "0s",
            "How long this server goes on from its last state while Valkey is out of reach, with marks of used codes of its own, which it "
                + "reports later. The same code may count at two servers then. `0s`: it refuses.");

    private OtpYaml() {}

    /** Returns the server; empty without the section, and if a key without default is missing or wrong. */
    static Optional<OtpServerConfig> read(YamlSection root, Key<Void> key, Storage storage) {
      Optional<YamlSection> found = root.section(key);
      if (found.isPresent() && storage != Storage.SHARED) {
        root.problem(
            key, "has no effect without storage: shared: a node with another storage is alone",
            "write storage: shared with the PostgreSQL of this server and the Valkey of all of them, or remove it");
        return Optional.empty();
      }
      return found.flatMap(section -> server(root, section));
    }

    private static Optional<OtpServerConfig> server(YamlSection root, YamlSection section) {
      Optional<OtpServerConfig.Role> role = section.find(ROLE);
      Optional<String> name = section.find(SERVER);
      Map<String, PostgresConfig> servers = new TreeMap<>();
      section.namedSections(SERVERS).forEach((server, database) -> SharedYaml.postgres(database).ifPresent(own -> servers.put(server, own)));
      boolean isReplica = role.filter(OtpServerConfig.Role.REPLICA::equals).isPresent();
      for (String server : servers.keySet()) {
        if (!server.matches(NAME)) {
          section.problem(SERVERS, "has " + server + ", which is not a name", NAME_REMEDY);
        }
      }
      if (servers.size() > MOST_SERVERS) {
        section.problem(SERVERS, "names " + servers.size() + " servers", "write at most " + MOST_SERVERS + ": one primary and ten replicas");
      }
      if (isReplica && name.isPresent() && servers.keySet().stream().allMatch(name.get()::equals)) {
        section.problem(SERVERS, "does not name the primary", "write the name of the primary with url, user and password of its database");
      }
      if (isReplica && !Set.copyOf(root.all(NodeYaml.ROLES)).equals(Set.of(Role.IDP))) {
        root.problem(NodeYaml.ROLES, "has more than a replica of one-time passwords serves", "write roles: [idp], or remove otp");
      }
      return role.flatMap(known -> name.map(own -> new OtpServerConfig(known, own, servers, section.get(ISOLATED))));
    }
  }
}
