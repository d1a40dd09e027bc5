package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import dev.gatehouse.common.realm.DirectoryConfig.People;
import dev.gatehouse.common.realm.DirectoryConfig.Pool;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig.Server;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Key.Form;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code directory} of a realm. */
final class DirectoryYaml {

  private static final Type<Duration> TIMEOUT = Type.duration("100ms", "1m");

  private static final Section GROUPS = new Section();
  private static final Key<String> GROUP_BASE =
      GROUPS.key(
          "base", Type.DN, "e.g. ou=groups,dc=example,dc=org",
          "The entry below which groups are searched; `directory.base` unless configured.");
  private static final Key<String> GROUP_FILTER =
      GROUPS.key("filter", filter("{dn}"), "(member={dn})", "Finds the groups of the person with that DN.");
  private static final Key<String> GROUP_NAME = GROUPS.key("nameAttribute", Type.LDAP_ATTRIBUTE, "cn",
      "The attribute with the name of a group.");
  private static final Key<String> GROUP_ATTRIBUTE =
      GROUPS.key(
          "attribute", Type.LDAP_ATTRIBUTE, "e.g. memberOf",
          "The attribute of a person with the DNs of all groups, which people cannot write themselves: groups are then not searched. Those "
              + "below `base` count, and their names are the values of `nameAttribute` in their DNs.");
  private static final Key<String> ROLES =
      GROUPS.lists(
          "roles", Type.TEXT, "{}",
          "The groups of each role, e.g. `{manager: [managers, board]}`; if empty, every group name is a role.");
  private static final Key<Integer> MAX =
      GROUPS.key(
          "most", Type.integer(1, 100_000), "5000",
          "Maximum number of groups per person. A person in more groups cannot log in, because rights would be missing.");

  static final Section KEYS = new Section();
  private static final Key<Url> URLS =
      KEYS.list(
          "urls", Type.matching("LDAP URL", "^[Ll][Dd][Aa][Pp][Ss]?://", DirectoryYaml::url).reaching(Reach.OUTBOUND),
          "e.g. [ldaps://ldap1.example.org, ldaps://ldap2.example.org]",
          "Servers, tried in order; required. `ldap:` with `startTls` or to localhost.");
  private static final Key<Boolean> START_TLS = KEYS.key("startTls", Type.BOOL, "false",
      "Whether `ldap:` connections use StartTLS.");
  private static final Key<Path> TRUST =
      KEYS.key(
          "trust", Pems.CERTIFICATE.then("PEM file", (v, certificate) -> Optional.of(v.onDisk())), "e.g. ca.pem",
          "Authorities of the servers' certificates; the JDK's unless configured.");
  private static final Key<String> BIND_DN =
      KEYS.key(
          "bindDn", Type.DN, "e.g. cn=gatehouse,dc=example,dc=org",
          "The account that searches, with `bindPassword`; anonymous unless configured.");
  private static final Key<Secret> BIND_PASSWORD =
      KEYS.key("bindPassword", Type.SECRET, "e.g. ${LDAP_PASSWORD}", "The password of `bindDn`.");
  private static final Key<String> BASE =
      KEYS.required(
          "base", Type.DN, "ou=people,dc=example,dc=org",
          "write the DN below which people are found, like ou=people,dc=example,dc=org",
          "The entry below which people are searched.");
  private static final Key<String> FILTER =
      KEYS.key(
          "filter", filter("{name}"), "e.g. (&(objectClass=person)(uid={name}))",
          "Finds the person with that login name; as in the example, with `nameAttribute` in place of `uid`, unless configured.");
  private static final Key<String> ID_ATTRIBUTE =
      KEYS.key(
          "idAttribute", Type.LDAP_ATTRIBUTE, "entryUUID",
          "The attribute with a person's immutable id; on Active Directory objectGUID, which is read as a GUID; passwords are "
              + "then changed by unicodePwd.");
  private static final Key<String> NAME_ATTRIBUTE = KEYS.key("nameAttribute", Type.LDAP_ATTRIBUTE, "uid",
      "The attribute with the login name.");
  private static final Key<String> ATTRIBUTES =
      KEYS.either(
          "attributes", Set.of(Form.LIST, Form.MAP), Type.LDAP_ATTRIBUTE, "[uid, cn, givenName, sn, displayName, mail]",
          "Attributes that are read of a person: names, or our names with LDAP's, e.g. `{login: sAMAccountName}`. Claims of "
              + "OpenID are mapped by `idp.oauth.claims`; by default name comes from displayName (else `cn`), given_name from "
              + "givenName, family_name from `sn`, email from mail, phone_number from telephoneNumber.");
  private static final Key<Void> OF_PERSON = KEYS.section("groups", GROUPS, "Groups of people.");
  private static final Key<Integer> POOL_SIZE =
      KEYS.key("poolSize", Type.integer(1, 1000), "16", "Maximum number of connections to each server.");
  private static final Key<Duration> CONNECT_TIMEOUT = KEYS.key("connectTimeout", TIMEOUT, "2s", "Maximum time to connect.");
  private static final Key<Duration> RESPONSE_TIMEOUT = KEYS.key("responseTimeout", TIMEOUT, "5s",
      "Maximum time until a response.");

  static final Key<Void> MAIL =
      KEYS.section("mail", MailYaml.PEOPLE, "Mail to people, with `mail` of `gatehouse.yaml`; none unless configured.");

  private static Type<String> filter(String placeholder) {
    return Type.string("LDAP filter with `" + placeholder + "`", v -> v.filter(placeholder));
  }

  private final YamlSection directory;

  DirectoryYaml(YamlSection directory) {
    this.directory = directory;
  }

  /** Returns the directory; empty if a key without default is missing or wrong. */
  Optional<DirectoryConfig> read() {
    List<Url> urls = directory.all(URLS);
    if (directory.isEmpty(URLS)) {
      directory.problem(URLS, "is missing", "write the servers in order, like [ldaps://ldap.example.org]");
    }
    Security security = security(urls);
    Optional<Path> trust = directory.find(TRUST);
    if (directory.has(TRUST) && security == Security.PLAIN_LOOPBACK) {
      directory.problem(TRUST, "has no effect without TLS", "remove it, or use ldaps:// or startTls: true");
    }
    bothOrNeither(BIND_DN, BIND_PASSWORD, "a bind without password proves nothing (RFC 4513, section 5.1.2)");
    bothOrNeither(BIND_PASSWORD, BIND_DN, "it would not be used");
    Optional<String> base = directory.find(BASE);
    String nameAttribute = directory.get(NAME_ATTRIBUTE);
    Map<String, String> attributes = attributes();
    DirectoryConfig config =
        new DirectoryConfig(
            urls.stream().map(Url::server).toList(), security, trust, directory.find(BIND_DN), directory.find(BIND_PASSWORD),
            new People(
                base.orElse(""), directory.get(FILTER, "(&(objectClass=person)(" + nameAttribute + "={name}))"),
                directory.get(ID_ATTRIBUTE), nameAttribute, attributes),
            groups(base.orElse("")),
            new Pool(directory.get(POOL_SIZE), directory.get(CONNECT_TIMEOUT), directory.get(RESPONSE_TIMEOUT)),
            directory.section(MAIL).map(mail -> MailYaml.people(mail, attributes.keySet())));
    return urls.isEmpty() || base.isEmpty() ? Optional.empty() : Optional.of(config);
  }

  private void bothOrNeither(Key<?> there, Key<?> missing, String why) {
    if (directory.has(there) && !directory.has(missing)) {
      directory.problem(there, "stands without " + missing + ": " + why, "write both, or neither for anonymous search");
    }
  }

  private record Url(YamlValue value, boolean tls, Server server) {}

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
    boolean startTls = directory.get(START_TLS);
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

  private Map<String, String> attributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (directory.isMapping(ATTRIBUTES)) {
      attributes.putAll(directory.map(ATTRIBUTES));
    } else {
      directory.all(ATTRIBUTES).forEach(name -> attributes.put(name, name));
    }
    for (String reserved : List.of("user", "roles", "groups")) {
      if (attributes.containsKey(reserved)) {
        directory.problem(ATTRIBUTES, reserved + " is a name with a meaning of its own", "give the attribute another name");
      }
    }
    return Map.copyOf(attributes);
  }

  private GroupConfig groups(String base) {
    YamlSection groups = directory.sectionOrEmpty(OF_PERSON);
    Optional<String> attribute = groups.find(GROUP_ATTRIBUTE);
    if (groups.has(GROUP_ATTRIBUTE) && groups.has(GROUP_FILTER)) {
      groups.problem(GROUP_FILTER, "has no effect beside " + GROUP_ATTRIBUTE, "remove one of them");
    }
    if (attribute.filter(name -> name.contains(".") || name.contains(";")).isPresent()) {
      // Directories answer with the name alone. A rule that excludes a group would let everybody in.
      groups.problem(GROUP_ATTRIBUTE, "is not a plain name, and nobody would have groups", "write a name like memberOf");
    }
    return new GroupConfig(
        groups.get(GROUP_BASE, base), groups.get(GROUP_FILTER), groups.get(GROUP_NAME), Map.copyOf(groups.lists(ROLES)),
        groups.get(MAX), attribute);
  }
}
