package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig.Server;
import dev.gatehouse.common.realm.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads {@code directory} of a realm. */
final class DirectoryYaml {

  private static final List<String> ATTRIBUTES = List.of("uid", "cn", "givenName", "sn", "displayName", "mail");

  private final YamlSection directory;

  DirectoryYaml(YamlSection directory) {
    this.directory = directory;
  }

  /** Returns the directory; empty if a key without default is missing or wrong. */
  Optional<DirectoryConfig> read() {
    List<Url> urls = urls();
    Security security = security(urls);
    Optional<Path> trust = trust(security);
    Optional<String> bindDn = directory.value("bindDn").flatMap(YamlValue::dn);
    Optional<Secret> bindPassword = directory.value("bindPassword").flatMap(YamlValue::secret);
    bothOrNeither("bindDn", "bindPassword", "a bind without password proves nothing (RFC 4513, section 5.1.2)");
    bothOrNeither("bindPassword", "bindDn", "it would not be used");
    Optional<String> base =
        directory.required("base", YamlValue::dn,
            "write the DN below which people are found, like ou=people,dc=example,dc=org");
    String idAttribute = directory.read("idAttribute", "entryUUID", YamlValue::ldapAttribute);
    String nameAttribute = directory.read("nameAttribute", "uid", YamlValue::ldapAttribute);
    String filter =
        directory.read(
            "filter", "(&(objectClass=person)(" + nameAttribute + "={name}))", v -> v.filter("{name}"));
    Map<String, String> attributes = attributes();
    GroupConfig groups = groups(base.orElse(""));
    int poolSize = directory.read("poolSize", 16, v -> v.integer(1, 1000));
    Duration connectTimeout = directory.read("connectTimeout", Duration.ofSeconds(2), DirectoryYaml::timeout);
    Duration responseTimeout = directory.read("responseTimeout", Duration.ofSeconds(5), DirectoryYaml::timeout);
    if (urls.isEmpty() || base.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new DirectoryConfig(
            urls.stream().map(Url::server).toList(),
            security,
            trust,
            bindDn,
            bindPassword,
            base.get(),
            filter,
            idAttribute,
            nameAttribute,
            attributes,
            groups,
            poolSize,
            connectTimeout,
            responseTimeout));
  }

  private static Optional<Duration> timeout(YamlValue value) {
    return value.duration(Duration.ofMillis(100), Duration.ofMinutes(1));
  }

  private void bothOrNeither(String there, String missing, String why) {
    if (directory.has(there) && !directory.has(missing)) {
      directory.problem(there, "stands without " + missing + ": " + why, "write both, or neither for anonymous search");
    }
  }

  private record Url(YamlValue value, boolean tls, Server server) {}

  private List<Url> urls() {
    List<YamlValue> values = directory.values("urls");
    if (values.isEmpty()) {
      directory.problem("urls", "is missing", "write the servers in order, like [ldaps://ldap.example.org]");
    }
    return values.stream().flatMap(v -> url(v).stream()).toList();
  }

  private static Optional<Url> url(YamlValue value) {
    String remedy = "write ldaps://host, or ldap://host with startTls; a port may follow";
    try {
      URI url = new URI(value.text());
      String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      boolean tls = scheme.equals("ldaps");
      if (!tls && !scheme.equals("ldap")) {
        return value.wrong(value.shown() + " is not an LDAP URL", remedy);
      }
      if (url.getHost() == null || url.getPort() == 0 || url.getPort() > 65535) {
        return value.wrong(value.shown() + " has no valid host and port", remedy);
      }
      boolean bare = url.getRawPath().isEmpty() || url.getRawPath().equals("/");
      if (!bare || url.getRawQuery() != null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
        return value.wrong(value.shown() + " has more than host and port",
            "write the DN as base, the account as bindDn");
      }
      int port = url.getPort() != -1 ? url.getPort() : tls ? 636 : 389;
      return Optional.of(new Url(value, tls, new Server(url.getHost().replace("[", "").replace("]", ""), port)));
    } catch (URISyntaxException e) {
      return value.wrong(value.shown() + " is not an LDAP URL", remedy);
    }
  }

  private Security security(List<Url> urls) {
    boolean startTls = directory.read("startTls", false, YamlValue::bool);
    boolean first = !urls.isEmpty() && urls.getFirst().tls();
    for (Url url : urls) {
      if (url.tls() != first) {
        url.value().wrong(url.value().shown() + " mixes ldap and ldaps", "use one of them for all servers");
      } else if (url.tls() && startTls) {
        url.value().wrong(url.value().shown() + " has TLS already", "remove startTls, or write ldap://");
      } else if (!url.tls() && !startTls && !Loopback.isName(url.server().host())) {
        url.value()
            .wrong(url.value().shown() + " would carry passwords in clear text", "add startTls: true, or use ldaps://");
      }
    }
    return startTls ? Security.START_TLS : first ? Security.LDAPS : Security.PLAIN_LOOPBACK;
  }

  private Optional<Path> trust(Security security) {
    Optional<YamlValue> trust = directory.value("trust");
    if (trust.isPresent() && security == Security.PLAIN_LOOPBACK) {
      directory.problem("trust", "has no use without TLS", "remove it, or use ldaps:// or startTls: true");
    }
    return trust.flatMap(v -> KeyYaml.certificate(v).map(certificate -> v.path()));
  }

  private Map<String, String> attributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (!directory.has("attributes")) {
      directory.values("attributes");
      ATTRIBUTES.forEach(name -> attributes.put(name, name));
    } else if (directory.isMapping("attributes")) {
      directory
          .map("attributes")
          .forEach((name, value) -> value.ldapAttribute().ifPresent(ldap -> attributes.put(name, ldap)));
    } else {
      directory.values("attributes").forEach(v -> v.ldapAttribute().ifPresent(name -> attributes.put(name, name)));
    }
    for (String reserved : List.of("user", "roles", "groups")) {
      if (attributes.containsKey(reserved)) {
        directory.problem("attributes", reserved + " is a name with a meaning of its own",
            "call the attribute otherwise");
      }
    }
    return Map.copyOf(attributes);
  }

  private GroupConfig groups(String base) {
    YamlSection groups = directory.sectionOrEmpty("groups");
    Map<String, List<String>> roles = new LinkedHashMap<>();
    groups
        .mapOfLists("roles")
        .forEach(
            (role, values) -> {
              List<String> names = new ArrayList<>();
              values.forEach(v -> v.string().ifPresent(names::add));
              roles.put(role, List.copyOf(names));
            });
    return new GroupConfig(
        groups.read("base", base, YamlValue::dn),
        groups.read("filter", "(member={dn})", v -> v.filter("{dn}")),
        groups.read("nameAttribute", "cn", YamlValue::ldapAttribute),
        Map.copyOf(roles),
        groups.read("most", GroupConfig.USUAL_LIMIT, v -> v.integer(1, 100_000)));
  }
}
