package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.node.ValkeyConfig.Account;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.node.ValkeyConfig.Place;
import dev.gatehouse.common.node.ValkeyConfig.Security;
import dev.gatehouse.common.node.ValkeyConfig.Server;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the keys of {@code gatehouse.yaml} for {@code storage: shared}. */
final class SharedYaml {

  private static final int USUAL_PORT = 5432;
  private static final int MASTER_KEY_BYTES = 32;

  private static final Pattern URL = Pattern.compile("postgresql://(?<servers>[^/?#@]+)/(?<database>[A-Za-z0-9_][A-Za-z0-9_.-]{0,62})");
  private static final Pattern SERVER = Pattern.compile("(?<host>[A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9A-Fa-f:.]+])(:(?<port>\\d{1,5}))?");

  private record Address(List<InetSocketAddress> servers, String database) {}

  static final Section POSTGRESQL = new Section();
  private static final Key<Address> ADDRESS =
      POSTGRESQL.required(
          "url", Type.matching("address of a database", "^postgresql://[^/?#@]+/[A-Za-z0-9_.-]+$", SharedYaml::address),
          "postgresql://db1.example.org,db2.example.org/gatehouse", "write it like postgresql://db1.example.org/gatehouse",
          "The database: `postgresql://HOST[:PORT][,HOST[:PORT]...]/DATABASE`. Of several servers the one that takes writes is used.");
  private static final Key<String> USER =
      POSTGRESQL.required(
          "user", Type.TEXT, "gatehouse", "write the user that owns the database's tables", "The user, who owns the tables.");
  private static final Key<Secret> PASSWORD =
      POSTGRESQL.required("password", Type.SECRET, "${POSTGRES_PASSWORD}", "write the password of user", "The password of `user`.");
  private static final Key<Integer> CONNECTIONS =
      POSTGRESQL.key("connections", Type.integer(2, 1000), "16", "The most connections that this node holds open.");
  private static final Key<Boolean> TLS =
      POSTGRESQL.key(
          "tls", Type.BOOL, "e.g. true",
          "TLS with the server's certificate and name checked (`verify-full`). Default: `true`, or `false` if all servers are on this "
              + "host; `false` is for these only.");
  private static final Key<YamlValue> CA =
      POSTGRESQL.key(
          "ca", Type.FILE, "e.g. tls/private-ca.pem",
          "Authorities that count for the server's certificate, in place of those of the JDK.");

  static final Type<Secret> MASTER_KEY = Type.secret(SharedYaml::masterKey);

  /** The keys of {@code gatehouse.yaml} itself. */
  record Keys(Key<Void> postgresql, Key<Void> valkey, Key<String> deployment, Key<Secret> masterKey) {}

  private SharedYaml() {}

  /** Returns the stores; empty without {@code storage: shared}, and if a key without default is missing or wrong. */
  static Optional<SharedConfig> read(YamlSection root, Keys keys, Optional<OtpServerConfig> otp, Storage storage) {
    for (Key<?> key : List.of(keys.postgresql(), keys.valkey(), keys.deployment(), keys.masterKey())) {
      if (storage != Storage.SHARED && root.has(key)) {
        root.problem(key, "has no effect without storage: shared", "write storage: shared, or remove it");
      } else if (storage == Storage.SHARED && key != keys.deployment() && !root.has(key)) {
        root.problem(key, "is missing, but storage is shared", key == keys.masterKey()
            ? "write masterKey: ${GATEHOUSE_MASTER_KEY}, the same for all nodes, made once with: openssl rand -base64 32"
            : "add the section, or write storage: embedded");
      }
    }
    if (storage != Storage.SHARED) {
      return Optional.empty();
    }
    String deployment = root.get(keys.deployment());
    Optional<PostgresConfig> postgres = root.section(keys.postgresql()).flatMap(SharedYaml::postgres);
    Optional<ValkeyConfig> valkey = root.section(keys.valkey()).flatMap(section -> ValkeyYaml.read(section, deployment));
    Optional<Secret> masterKey = root.find(keys.masterKey());
    return postgres.flatMap(
        database -> valkey.flatMap(servers -> masterKey.map(key -> new SharedConfig(deployment, database, servers, key, otp))));
  }

  static Optional<PostgresConfig> postgres(YamlSection section) {
    Optional<Address> address = section.find(ADDRESS);
    Optional<String> user = section.find(USER);
    Optional<Secret> password = section.find(PASSWORD);
    boolean isLocal =
        address.filter(url -> url.servers().stream().allMatch(server -> Loopback.isName(server.getHostString()))).isPresent();
    boolean isClear = !section.get(TLS, !isLocal);
    if (isClear && !isLocal && address.isPresent()) {
      section.problem(TLS, "is false, so that passwords and personal data would travel in clear text", "remove it");
    }
    if (isClear && section.has(CA)) {
      section.problem(CA, "has no effect without TLS", "remove it, or write tls: true");
    }
    Optional<Path> authorities = section.find(CA).filter(file -> Pems.AUTHORITIES.parser().apply(file).isPresent()).map(YamlValue::onDisk);
    return address.flatMap(
        url ->
            user.flatMap(
                name ->
                    password.map(
                        secret ->
                            new PostgresConfig(
                                url.servers(), url.database(), name, secret, section.get(CONNECTIONS), isClear, authorities))));
  }

  private static Optional<Secret> masterKey(YamlValue value) {
    try {
      if (Base64.getDecoder().decode(value.text().strip()).length == MASTER_KEY_BYTES) {
        return Optional.of(new Secret(value.text().strip()));
      }
    } catch (IllegalArgumentException e) {
      // Not base64: the same message.
    }
    return value.wrong("is not a key of 32 bytes in base64", "make one with: openssl rand -base64 32");
  }

  private static Optional<Address> address(YamlValue value) {
    Matcher url = URL.matcher(value.text());
    List<InetSocketAddress> servers = new ArrayList<>();
    boolean isWrong = !url.matches();
    for (String server : isWrong ? new String[0] : url.group("servers").split(",", -1)) {
      Matcher parts = SERVER.matcher(server);
      int port = parts.matches() ? Optional.ofNullable(parts.group("port")).map(Integer::parseInt).orElse(USUAL_PORT) : 0;
      isWrong |= port < 1 || port > 65_535;
      if (!isWrong) {
        servers.add(InetSocketAddress.createUnresolved(parts.group("host"), port));
      }
    }
    return isWrong
        ? value.wrong(
            value.shown() + " is not the address of a PostgreSQL database",
            "write it like postgresql://db1.example.org:5432,db2.example.org/gatehouse, without user, password or parameters")
        : Optional.of(new Address(List.copyOf(servers), url.group("database")));
  }

  /** Reads {@code valkey} of {@code gatehouse.yaml}. */
  static final class ValkeyYaml {

    private static final String ADDRESS = "^[^\\s/@]+:\\d{1,5}$";

    static final Section KEYS = new Section();
    private static final Key<Server> SERVER =
        KEYS.key(
            "server", Type.matching("host and port", ADDRESS, ValkeyYaml::server).reaching(Reach.OUTBOUND), "e.g. valkey.example.org:6379",
            "The primary, where no Sentinels watch it; this or `sentinels`.");
    private static final Key<Server> SENTINELS =
        KEYS.list(
            "sentinels", Type.matching("host and port", ADDRESS, ValkeyYaml::server).reaching(Reach.OUTBOUND),
            "e.g. [valkey1.example.org:26379, valkey2.example.org:26379, valkey3.example.org:26379]",
            "The Sentinels, which know the primary and promote a replica if it fails; this or `server`.");
    private static final Key<String> PRIMARY_NAME =
        KEYS.key("primaryName", Type.NAME, "gatehouse", "The primary's name in the configuration of the Sentinels.");
    private static final Key<Secret> SENTINEL_PASSWORD =
        KEYS.key(
            "sentinelPassword", Type.SECRET, "e.g. ${SENTINEL_PASSWORD}",
            "The password of the Sentinels themselves, if they ask for one.");
    private static final Key<String> USER =
        KEYS.key("user", Type.TEXT, "default", "The account at the server, with `password`.");
    private static final Key<Secret> PASSWORD = KEYS.key("password", Type.SECRET, "e.g. ${VALKEY_PASSWORD}", "The password of `user`.");
    private static final Key<Boolean> TLS =
        KEYS.key("tls", Type.BOOL, "true", "Whether connections use TLS; `false` for servers on this host only.");
    private static final Key<List<X509Certificate>> CA =
        KEYS.key(
            "ca", Pems.AUTHORITIES, "e.g. tls/private-ca.pem", "Authorities that count for the servers' certificates beside the JDK's.");
    private static final Key<Acknowledge> ACKNOWLEDGE =
        KEYS.key(
            "acknowledge", Type.choice(Acknowledge.class), "replica",
            "What a write waits for. `replica`: the primary has it on disk and a replica has it, so that no single fault loses it; "
                + "`local`: the primary has it on disk; what a promotion or a lost disk takes with it is gone.");
    private static final Key<Duration> STALENESS =
        KEYS.key(
            "staleness", Type.duration("0s", "15m"), "60s",
            "How long a node serves sessions that it knows while no server answers; counted and audited.");
    private static final Key<Duration> TIMEOUT =
        KEYS.key("timeout", Type.duration("100ms", "30s"), "2s", "Maximum time until an answer and its acknowledgement.");

    private ValkeyYaml() {}

    /**
     * Returns the servers; empty if a key without default is missing or wrong.
     *
     * @param namespace the first part of every key
     */
    static Optional<ValkeyConfig> read(YamlSection valkey, String namespace) {
      if (valkey.has(USER) && !valkey.has(PASSWORD)) {
        valkey.problem(USER, "stands alone", "write user and password, or neither");
      }
      Optional<Account> account = valkey.find(PASSWORD).map(password -> new Account(valkey.get(USER), password));
      return place(valkey)
          .map(
              place ->
                  new ValkeyConfig(
                      place, account, security(valkey, place), valkey.get(ACKNOWLEDGE), valkey.get(STALENESS), valkey.get(TIMEOUT),
                      namespace));
    }

    private static Optional<Place> place(YamlSection valkey) {
      List<Server> sentinels = valkey.all(SENTINELS);
      Optional<Server> server = valkey.find(SERVER);
      if (valkey.has(SERVER) == valkey.has(SENTINELS)) {
        if (valkey.has(SERVER)) {
          valkey.problem(SERVER, "stands beside sentinels, which name the primary", "write one of them");
        } else {
          valkey.problem(SERVER, "is missing", "write server: HOST:PORT, or sentinels: [HOST:PORT, ...]");
        }
        return Optional.empty();
      }
      if (valkey.has(SENTINELS)) {
        return sentinels.isEmpty()
            ? Optional.empty()
            : Optional.of(new Place.Sentinels(sentinels, valkey.get(PRIMARY_NAME), valkey.find(SENTINEL_PASSWORD)));
      }
      for (Key<?> key : List.of(PRIMARY_NAME, SENTINEL_PASSWORD)) {
        if (valkey.has(key)) {
          valkey.problem(key, "has no effect without sentinels", "remove it, or write sentinels");
        }
      }
      return server.map(Place.Direct::new);
    }

    private static Security security(YamlSection valkey, Place place) {
      if (valkey.get(TLS)) {
        return new Security.Tls(valkey.get(CA, List.of()));
      }
      if (valkey.has(CA)) {
        valkey.problem(CA, "has no effect without TLS", "remove it, or write tls: true");
      }
      for (Server server : place.servers()) {
        if (!Loopback.isName(server.host())) {
          valkey.problem(TLS, "is false, so that " + server + " would get passwords in clear text", "write tls: true");
        }
      }
      return new Security.Plain();
    }

    private static Optional<Server> server(YamlValue value) {
      String remedy = "write HOST:PORT, an IPv6 address in brackets";
      try {
        URI uri = new URI("valkey://" + value.text());
        boolean bare =
            uri.getRawPath().isEmpty() && uri.getRawQuery() == null && uri.getRawUserInfo() == null && uri.getRawFragment() == null;
        if (uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > 65_535 || !bare) {
          return value.wrong(value.shown() + " has no valid host and port", remedy);
        }
        return Optional.of(new Server(uri.getHost().replace("[", "").replace("]", ""), uri.getPort()));
      } catch (URISyntaxException e) {
        return value.wrong(value.shown() + " is not a host and port", remedy);
      }
    }
  }
}
