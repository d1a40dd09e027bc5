package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Account;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.node.ValkeyConfig.Place;
import dev.gatehouse.common.node.ValkeyConfig.Security;
import dev.gatehouse.common.node.ValkeyConfig.Server;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads {@code valkey} of {@code gatehouse.yaml}. */
final class ValkeyYaml {

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
  private static final Key<String> NAMESPACE =
      KEYS.key(
          "namespace",
          Type.matching(
              "name of up to 16 letters", "[a-z][a-z0-9-]{0,15}", "is not a namespace",
              "write up to 16 lower-case letters, digits and hyphens"),
          "gatehouse", "The first part of every key; each deployment on one server needs its own.");

  private ValkeyYaml() {}

  /** Returns the servers; empty if a key without default is missing or wrong. */
  static Optional<ValkeyConfig> read(YamlSection valkey) {
    if (valkey.has(USER) && !valkey.has(PASSWORD)) {
      valkey.problem(USER, "stands alone", "write user and password, or neither");
    }
    Optional<Account> account = valkey.find(PASSWORD).map(password -> new Account(valkey.get(USER), password));
    return place(valkey)
        .map(
            place ->
                new ValkeyConfig(
                    place, account, security(valkey, place), valkey.get(ACKNOWLEDGE), valkey.get(STALENESS), valkey.get(TIMEOUT),
                    valkey.get(NAMESPACE)));
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
