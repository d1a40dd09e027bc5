package dev.gatehouse.idp.agent;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlDocument;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlSource;
import dev.gatehouse.common.realm.yaml.YamlValue;
import dev.gatehouse.idp.agent.metrics.MetricsSettings;
import dev.gatehouse.idp.agent.offline.OfflineSettings;
import dev.gatehouse.idp.agent.radius.LocalRadiusSettings;
import dev.gatehouse.idp.agent.server.AgentKey;
import dev.gatehouse.idp.agent.server.ServerSettings;
import dev.gatehouse.idp.agent.server.ServerSettings.Times;
import dev.gatehouse.idp.agent.socket.PamSocketSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code agent.yaml}. */
public final class AgentYaml {

  private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9A-Fa-f:]+]|[A-Za-z0-9.-]+)(?::(\\d{1,5}))?");
  private static final int NO_PORT = -1;
  private static final String USUAL_STATE = "/var/lib/gatehouse-agent";

  /** Without port, until that of the realm is known. */
  private record Server(String host, int port) {

    InetSocketAddress at(URI realm) {
      int usual = realm.getPort() > 0 ? realm.getPort() : realm.getScheme().equalsIgnoreCase("https") ? 443 : 80;
      return InetSocketAddress.createUnresolved(host, port == NO_PORT ? usual : port);
    }
  }

  private static final Type<URI> REALM_URL = Type.OUTBOUND_URL.then("URL", AgentYaml::realm);
  private static final Type<Server> SERVER = Type.string("host or host:port", AgentYaml::server);

  private static final Section CLIENT = new Section();
  private static final Key<String> ID =
      CLIENT.required("id", Type.NAME, "vpn-host", "write the clientId that the realm has for this agent",
          "The agent's client ID in the realm.");
  private static final Key<YamlValue> KEY =
      CLIENT.required(
          "key", Type.SECRET_FILE, "agent.key", "write the path of the agent's private key",
              "The agent's private key, a PEM file (PKCS#8): RSA, or EC P-256.");
  private static final Key<List<X509Certificate>> CERTIFICATE =
      CLIENT.key("certificate", Pems.CHAIN, "e.g. agent.crt",
          "The key's certificate, for mutual TLS; without it the agent signs an assertion for each request.");
  private static final Key<String> AUDIENCE =
      CLIENT.key(
          "audience", Type.ENTITY_ID, "e.g. https://login.example.org/realms/staff",
              "For whom assertions are: the realm's issuer. Default: `realm`.");

  private static final Section TIMEOUTS = new Section();
  private static final Key<Duration> CONNECT = TIMEOUTS.key("connect", Type.duration("50ms", "30s"), "1s",
      "The longest time for a connection.");
  private static final Key<Duration> PROBE =
      TIMEOUTS.key("probe", Type.duration("50ms", "30s"), "1s",
          "The longest time for the answer to a probe: what a server that hangs costs, once.");
  private static final Key<Duration> REQUEST =
      TIMEOUTS.key("request", Type.duration("100ms", "1m"), "5s", "The longest time for a decision about a passcode.");
  private static final Key<Duration> BETWEEN =
      TIMEOUTS.key("between", Type.duration("1s", "1h"), "10s", "The time between two rounds of probes.");

  private static final Section RADIUS = new Section();
  private static final Key<InetAddress> ADDRESS =
      RADIUS.key("address", Type.ADDRESS.then("address of this host", AgentYaml::loopback).reaching(Reach.NAME_ONLY), "127.0.0.1",
          "Where it listens: loopback only.");
  private static final Key<Integer> PORT = RADIUS.key("port", Type.integer(0, 65_535), "1812", "The port; 0 for any.");
  private static final Key<Secret> SECRET =
      RADIUS.required(
          "secret", Type.SECRET, "{secret: radius}", "write {secret: NAME}, and the secret into secrets/NAME beside this file",
          "The secret that programs of this host share with the agent.");

  private static final Key<String> SENDERS =
      RADIUS.list("users", Type.NAME, "[]",
          "Besides root, the users whose programs may ask without Message-Authenticator, as PAM's module does. The kernel says who sends.");

  private static final Section SOCKET = new Section();
  private static final Key<Path> PATH =
      SOCKET.required("path", Type.PATH, "/run/gatehouse-agent/socket", "write where the socket shall be", "The Unix socket.");
  private static final Key<String> GROUP =
      SOCKET.key("group", Type.NAME, "e.g. shadow", "The group that may connect; the agent's own user and root alone unless configured.");
  private static final Key<String> USERS =
      SOCKET.list("users", Type.NAME, "[]", "Of the group, the users who may ask; all unless configured. The kernel says who connects.");

  private static final Section OFFLINE = new Section();
  private static final Key<Path> FOLDER =
      OFFLINE.required("folder", Type.PATH, "/var/lib/gatehouse-agent", "write a folder of this agent alone",
          "Where the agent keeps what it needs.");
  private static final Key<String> MACHINE_KEY =
      OFFLINE.required(
          "key", Type.words("tpm", "file"), "tpm", "write tpm where the machine has one (ls /dev/tpmrm0), otherwise file",
          "Where the machine's key is: sealed by its TPM 2.0, by tpm2-tools; or in a file beside the rest, for people whose PIN has eight "
              + "characters or more.");

  private static final Section KEYS = new Section();
  private static final Key<Void> CLIENTS = KEYS.section("client", CLIENT, "How the agent proves who it is.");
  private static final Key<URI> REALM =
      KEYS.required(
          "realm", REALM_URL, "https://login.example.org:8445/realms/staff", "write the realm's address, as its servers know it",
          "The realm: whom requests are for, and whose certificate counts.");
  private static final Key<Server> SERVERS =
      KEYS.list("servers", SERVER, "e.g. [192.0.2.11, 192.0.2.12]",
          "Where the realm's servers are; the one that answers soonest is asked. Default: as the name in `realm` says.");
  private static final Key<Server> PINNED =
      KEYS.list("pinned", SERVER, "[]", "Of `servers`, those that alone are asked, in this order.");
  private static final Key<List<X509Certificate>> CA =
      KEYS.key("ca", Pems.AUTHORITIES, "e.g. ca.pem", "The authorities of the servers' certificates; Java's own unless configured.");
  private static final Key<Path> STATE =
      KEYS.key("state", Type.PATH, "e.g. /var/lib/gatehouse-agent",
          "The folder where the agent keeps the realm's epoch, by which it knows a server whose place another one has taken. Default: "
              + "`offline.folder`, otherwise " + USUAL_STATE + ".");
  private static final Key<String> LANGUAGE = KEYS.key("language", Type.words("en", "de"), "en", "The language of what people read.");
  private static final Key<Void> TIMES = KEYS.section("timeouts", TIMEOUTS, "How long the agent waits.");
  private static final Key<Void> RADIUS_SECTION = KEYS.section("radius", RADIUS, "RADIUS for programs of this host.");
  private static final Key<Void> SOCKET_SECTION = KEYS.section("socket", SOCKET, "A Unix socket for programs of this host.");
  private static final Key<Void> OFFLINE_SECTION =
      KEYS.section("offline", OFFLINE,
          "Lets people in who logged in some days before, while no server is reached. Needs `passcodes.offlineDays` of the client in the "
              + "realm.");
  private static final Key<Void> METRICS_SECTION =
      KEYS.section("metrics", MetricsYaml.METRICS, "Figures of the agent as Prometheus text, for this host alone.");

  private final YamlSection root;
  private final Map<String, String> environment;

  private AgentYaml(YamlSection root, Map<String, String> environment) {
    this.root = root;
    this.environment = environment;
  }

  /** Reads the file. Throws with all its mistakes. */
  public static AgentSettings read(Path file, Map<String, String> environment) throws ConfigurationInvalid {
    YamlSource source = new YamlSource(file, environment, AgentYaml::places);
    Optional<AgentSettings> settings = YamlDocument.root(source, KEYS).flatMap(root -> new AgentYaml(root, environment).settings(source));
    if (settings.isEmpty() || !source.problems().isEmpty()) {
      throw new ConfigurationInvalid(source.problems());
    }
    return settings.get();
  }

  private static Map<String, Set<String>> places() {
    Map<String, Set<String>> places = new HashMap<>();
    KEYS.places("", "agent.yaml", places);
    return places;
  }

  private Optional<AgentSettings> settings(YamlSource source) {
    Optional<URI> realm = root.find(REALM);
    List<Server> all =
        root.isEmpty(SERVERS)
            ? realm.map(url -> List.of(new Server(withoutBrackets(url.getHost()), NO_PORT))).orElse(List.of())
            : root.all(SERVERS);
    if (new HashSet<>(all).size() < all.size()) {
      root.problem(SERVERS, "names a server twice", "write each once");
    }
    List<Server> pinned = root.all(PINNED);
    pinned.stream()
        .filter(server -> !all.contains(server))
        .findFirst()
        .ifPresent(other -> root.problem(PINNED, "`" + other.host() + "` is not one of servers",
            "write those of servers that shall be asked"));
    Times times = times(root.sectionOrEmpty(TIMES));
    Optional<AgentKey> key = key(root.sectionOrEmpty(CLIENTS), realm);
    List<X509Certificate> authorities = root.find(CA).orElse(List.of());
    String language = root.get(LANGUAGE);
    Optional<LocalRadiusSettings> radius = root.section(RADIUS_SECTION).flatMap(section -> radius(section, language));
    Optional<PamSocketSettings> socket = root.section(SOCKET_SECTION).flatMap(section -> socket(section, language));
    Optional<OfflineSettings> offline = root.section(OFFLINE_SECTION).flatMap(section -> offline(section, environment));
    Optional<MetricsSettings> metrics = root.section(METRICS_SECTION).flatMap(MetricsYaml::settings);
    if (!root.has(RADIUS_SECTION) && !root.has(SOCKET_SECTION)) {
      root.problem(RADIUS_SECTION, "is missing, and socket too", "say how programs of this host ask: by radius, by socket, or both");
    }
    if (key.isEmpty() || realm.isEmpty() || !source.problems().isEmpty()) {
      return Optional.empty();
    }
    boolean isClear = realm.get().getScheme().equalsIgnoreCase("http");
    Optional<Server> far = all.stream().filter(server -> isClear && !Loopback.isName(server.host())).findFirst();
    if (far.isPresent()) {
      root.problem(SERVERS, "`" + far.get().host() + "` would get passcodes in clear text, because realm is http",
          "use https in realm, or write servers of this host");
      return Optional.empty();
    }
    boolean isPinned = !pinned.isEmpty();
    List<InetSocketAddress> servers = (isPinned ? pinned : all).stream().map(server -> server.at(realm.get())).toList();
    Path state = root.find(STATE).or(() -> offline.map(OfflineSettings::folder)).orElse(Path.of(USUAL_STATE));
    ServerSettings asked = new ServerSettings(realm.get(), servers, isPinned, key.get(), authorities, times);
    return Optional.of(new AgentSettings(asked, radius, socket, offline, metrics, state));
  }

  private static Times times(YamlSection section) {
    Times times = new Times(section.get(CONNECT), section.get(PROBE), section.get(REQUEST), section.get(BETWEEN));
    if (times.request().compareTo(times.connect()) <= 0) {
      section.problem(REQUEST, "is not longer than connect", "write a longer time");
    }
    return times;
  }

  private static Optional<AgentKey> key(YamlSection section, Optional<URI> realm) {
    Optional<String> id = section.find(ID);
    Optional<YamlValue> file = section.find(KEY);
    Optional<PrivateKey> key = file.flatMap(AgentYaml::privateKey);
    Optional<List<X509Certificate>> chain = section.find(CERTIFICATE);
    if (key.isPresent() && chain.isPresent() && !isPair(key.get(), chain.get().getFirst())) {
      section.problem(CERTIFICATE, "is not that of the key", "use the two that were made together");
    }
    return id.isPresent() && key.isPresent()
        ? Optional.of(new AgentKey(id.get(), key.get(), chain.orElse(List.of()),
            section.find(AUDIENCE).or(() -> realm.map(URI::toString)).orElse("")))
        : Optional.empty();
  }

  private static Optional<PrivateKey> privateKey(YamlValue file) {
    return file.secretContent()
        .flatMap(
            content -> {
              try {
                PrivateKey key = Pem.privateKey(content);
                boolean is256 = key instanceof ECPrivateKey ec && ec.getParams().getOrder().bitLength() == 256;
                return is256 || key.getAlgorithm().equals("RSA")
                    ? Optional.of(key)
                    : file.wrong("is neither RSA nor EC P-256",
                        "make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out agent.key");
              } catch (GeneralSecurityException e) {
                return file.wrong("is not a PEM private key: " + e.getMessage(), "write the path of a PKCS#8 PEM file");
              }
            });
  }

  private static boolean isPair(PrivateKey key, X509Certificate certificate) {
    try {
      return Pem.isPair(key, certificate);
    } catch (GeneralSecurityException e) {
      // A key that cannot sign does not match, either.
      return false;
    }
  }

  private static Optional<LocalRadiusSettings> radius(YamlSection section, String language) {
    InetAddress address = section.get(ADDRESS);
    int port = section.get(PORT);
    return section.find(SECRET).map(
        secret -> new LocalRadiusSettings(new InetSocketAddress(address, port), secret, Set.copyOf(section.all(SENDERS)), language));
  }

  private static Optional<PamSocketSettings> socket(YamlSection section, String language) {
    Optional<Path> path = SocketPaths.read(section, PATH);
    Optional<String> group = section.find(GROUP);
    List<String> users = section.all(USERS);
    if (!users.isEmpty() && group.isEmpty()) {
      section.problem(USERS, "stands without group, so that these users cannot connect", "add the group that they are in");
    }
    return path.map(where -> new PamSocketSettings(where, group, Set.copyOf(users), language));
  }

  private static Optional<OfflineSettings> offline(YamlSection section, Map<String, String> environment) {
    Optional<Path> folder = section.find(FOLDER);
    Optional<String> key = section.find(MACHINE_KEY);
    Optional<String> tpm = Optional.ofNullable(environment.get("TPM2TOOLS_TCTI"));
    return folder.flatMap(where -> key.map(word -> new OfflineSettings(where, word.equals("tpm"), tpm)));
  }

  private static String withoutBrackets(String host) {
    return host.replace("[", "").replace("]", "");
  }

  private static Optional<Server> server(YamlValue value) {
    Matcher matcher = HOST_AND_PORT.matcher(value.text());
    int port = matcher.matches() && matcher.group(2) != null ? Integer.parseInt(matcher.group(2)) : NO_PORT;
    return matcher.matches() && port != 0 && port <= 65_535
        ? Optional.of(new Server(withoutBrackets(matcher.group(1)), port))
        : value.wrong(value.shown() + " is no host or host:port",
            "write where the server is, like 192.0.2.11, login1.example.org:8445 or \"[2001:db8::1]:8445\"");
  }

  private static Optional<URI> realm(YamlValue value, URI url) {
    if (url.getRawQuery() != null) {
      return value.wrong(value.shown() + " has a query", "write the realm's address only, like https://login.example.org/realms/staff");
    }
    return url.getScheme().equalsIgnoreCase("https") || Loopback.isName(url.getHost())
        ? Optional.of(url)
        : value.wrong(value.shown() + " would carry passcodes in clear text", "use https (http is for loopback)");
  }

  static Optional<InetAddress> loopback(YamlValue value, InetAddress address) {
    return address.isLoopbackAddress()
        ? Optional.of(address)
        : value.wrong(
            value.shown() + " is not on loopback, and programs of this host send requests that others could change",
            "write 127.0.0.1 or ::1; other hosts ask a node by RADIUS, or have an agent of their own");
  }
}
