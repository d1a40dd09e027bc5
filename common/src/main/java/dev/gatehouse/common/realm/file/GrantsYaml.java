package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.RealmGrant;
import dev.gatehouse.common.realm.RealmGrant.Destination;
import dev.gatehouse.common.realm.RealmGrant.HostName;
import dev.gatehouse.common.realm.RealmGrant.Server;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code realms} of the node: what administrators of each realm may use. */
final class GrantsYaml {

  private static final String LABELS = "[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?";
  private static final Pattern HOST = Pattern.compile("(\\*\\.)?(" + LABELS + ")|(\\[[0-9A-Fa-f:.]+])");
  private static final Pattern SERVER = Pattern.compile("(.+):(\\d{1,5})");
  private static final Pattern DESTINATION =
      Pattern.compile("(https?|ldaps?)://([^/:]+|\\[[^/]+])(?::(\\d{1,5}))?/?", Pattern.CASE_INSENSITIVE);
  private static final Map<String, Integer> PORTS = Map.of("http", 80, "https", 443, "ldap", 389, "ldaps", 636);

  static final Section KEYS = new Section();
  private static final Key<HostName> HOSTS =
      KEYS.list(
          "hosts", Type.matching("host, or `*.` and a domain", "^(\\*\\.)?[A-Za-z0-9\\[]", GrantsYaml::host), "[]",
          "Hosts of the realm, e.g. `[app.example.org, \"*.sales.example.org\"]`. All realms may share the host of an identity provider; the "
              + "hosts of a service provider belong to one realm.");
  private static final Key<Server> UPSTREAMS =
      KEYS.list(
          "upstreams", Type.matching("host and port, or block of addresses", "^[A-Za-z0-9*\\[:]", GrantsYaml::server), "[]",
          "Servers of apps, e.g. `[\"app.internal:8080\", 10.1.0.0/16]`. A block stands for addresses in URLs, not for names.");
  private static final Key<Destination> OUTBOUND =
      KEYS.list(
          "outbound",
          Type.matching(
              "origin, whose host may begin with `*.`", "^([Hh][Tt][Tt][Pp]|[Ll][Dd][Aa][Pp])[Ss]?://", GrantsYaml::destination),
          "[]",
          "Where the node may connect to for the realm, by `http`, `https`, `ldap` or `ldaps`, e.g. `[\"https://*.partner.example\", "
              + "\"ldaps://ldap.example.org\"]`: metadata, OpenID providers, directories, addresses of clients.");

  private GrantsYaml() {}

  /** Returns the grants by the names of their realms. */
  static Map<String, RealmGrant> read(Map<String, YamlSection> realms) {
    Map<String, RealmGrant> grants = new LinkedHashMap<>();
    realms.forEach(
        (name, section) -> grants.put(name, new RealmGrant(section.all(HOSTS), section.all(UPSTREAMS), section.all(OUTBOUND))));
    return grants;
  }

  private static Optional<HostName> host(YamlValue value) {
    String remedy = "write one without port, like app.example.org, or \"*.example.org\" for all below it";
    return host(value.text()).or(() -> value.wrong(value.shown() + " is not a host", remedy));
  }

  private static Optional<HostName> host(String text) {
    Matcher host = HOST.matcher(text);
    if (!host.matches()) {
      return Optional.empty();
    }
    String name = host.group(2) == null ? host.group(3) : host.group(2);
    return Optional.of(new HostName(name.toLowerCase(Locale.ROOT), host.group(1) != null));
  }

  private static Optional<Server> server(YamlValue value) {
    String text = value.text();
    Matcher server = SERVER.matcher(text);
    boolean isPlainIpv6 = text.indexOf(':') != text.lastIndexOf(':') && !text.contains("[");
    if (text.contains("/") || isPlainIpv6 || text.matches("[0-9.]+")) {
      return Type.CIDR.parser().apply(value).map(Server.Block::new);
    }
    Optional<Server> named =
        server.matches() && isPort(server.group(2))
            ? host(server.group(1)).map(host -> new Server.Named(host, Integer.parseInt(server.group(2))))
            : Optional.empty();
    String remedy = "write its host and port, like \"app.internal:8080\", or a block like 10.1.0.0/16";
    return named.or(() -> value.wrong(value.shown() + " is not a server", remedy));
  }

  private static Optional<Destination> destination(YamlValue value) {
    Matcher parts = DESTINATION.matcher(value.text());
    Optional<Destination> read =
        parts.matches()
            ? host(parts.group(2)).filter(host -> parts.group(3) == null || isPort(parts.group(3))).map(host -> destination(parts, host))
            : Optional.empty();
    String remedy = "write scheme, host and port, like https://login.partner.example or \"https://*.partner.example:8443\"";
    return read.or(() -> value.wrong(value.shown() + " is not an origin", remedy));
  }

  private static Destination destination(Matcher parts, HostName host) {
    String scheme = parts.group(1).toLowerCase(Locale.ROOT);
    int port = parts.group(3) == null ? PORTS.getOrDefault(scheme, 0) : Integer.parseInt(parts.group(3));
    return new Destination(scheme, host, port);
  }

  /** Returns the port of URLs of a scheme that name none; 0 for other schemes. */
  static int usualPort(String scheme) {
    return PORTS.getOrDefault(scheme, 0);
  }

  private static boolean isPort(String digits) {
    int port = Integer.parseInt(digits);
    return port > 0 && port < 65536;
  }
}
