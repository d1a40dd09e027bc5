package dev.gatehouse.common.directory;

import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig.Server;
import dev.gatehouse.common.realm.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A small tree below {@code dc=example,dc=org}: alice (employee), bob (employee, manager) and unusual people. */
public final class TestPeople {

  public static final String BASE = "dc=example,dc=org";
  public static final String SERVICE = "cn=gatehouse,dc=example,dc=org";
  public static final String SERVICE_PASSWORD = "service";

  /** The tree; every person's password is {@code demo}, the service account's {@code service}. */
  public static final String LDIF =
      """
      dn: dc=example,dc=org
      objectClass: dcObject
      objectClass: organization
      dc: example
      o: Example

      dn: cn=gatehouse,dc=example,dc=org
      objectClass: organizationalRole
      objectClass: simpleSecurityObject
      cn: gatehouse
      userPassword: service

      dn: ou=people,dc=example,dc=org
      objectClass: organizationalUnit
      ou: people

      dn: ou=groups,dc=example,dc=org
      objectClass: organizationalUnit
      ou: groups

      """
          + person("uid=alice", "alice", "Alice Adams", "mail: alice@example.org\nmail: a.adams@example.org\n")
          + person("uid=bob", "bob", "Bob (Brown*)", "mail: bob@example.org\n")
          + person("cn=Odd\\, Name (x)\\2a", "odd", "Odd, Name (x)*", "")
          + person("cn=twin 1", "twin", "twin 1", "")
          + person("cn=twin 2", "twin", "twin 2", "")
          + person("uid=jörg", "jörg", "Jörg Strauß", "")
          + """
          dn: cn=employees,ou=groups,dc=example,dc=org
          objectClass: groupOfNames
          cn: Employees
          member: uid=alice,ou=people,dc=example,dc=org
          member: uid=bob,ou=people,dc=example,dc=org

          dn: cn=managers,ou=groups,dc=example,dc=org
          objectClass: groupOfNames
          cn: managers
          member: uid=bob,ou=people,dc=example,dc=org
          member: cn=Odd\\, Name (x)\\2a,ou=people,dc=example,dc=org

          """;

  private TestPeople() {}

  /** One inetOrgPerson below {@code ou=people}. */
  public static String person(String rdn, String uid, String cn, String more) {
    return base64("dn", rdn + ",ou=people," + BASE)
        + "objectClass: inetOrgPerson\n"
        + base64("uid", uid)
        + base64("cn", cn)
        + "sn: " + uid.charAt(0) + "\n"
        + "userPassword: demo\n"
        + more
        + "\n";
  }

  private static String base64(String name, String value) {
    byte[] utf8 = value.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return name + ":: " + java.util.Base64.getEncoder().encodeToString(utf8) + "\n";
  }

  /** Returns the configuration for that tree on these servers of loopback: six connections, timeouts for a busy machine. */
  public static DirectoryConfig config(int... ports) {
    return config(Security.PLAIN_LOOPBACK, Optional.empty(), Optional.of(SERVICE), SERVICE_PASSWORD, 6, ports);
  }

  /** As above, with another timeout for connections and responses. */
  public static DirectoryConfig config(Duration timeout, int... ports) {
    DirectoryConfig c = config(ports);
    return new DirectoryConfig(c.servers(), c.security(), c.trust(), c.bindDn(), c.bindPassword(), new DirectoryConfig.People(c.people().baseDn(),
        c.people().filter(), c.people().idAttribute(), c.people().nameAttribute(), c.people().attributes()), c.groups(),
        new DirectoryConfig.Pool(c.pool().size(), timeout, timeout));
  }

  /** Returns the usual configuration with another filter for people. */
  public static DirectoryConfig withFilter(int port, String personFilter) {
    DirectoryConfig c = config(port);
    return new DirectoryConfig(
        c.servers(), c.security(), c.trust(), c.bindDn(), c.bindPassword(), new DirectoryConfig.People(c.people().baseDn(), personFilter,
        c.people().idAttribute(), c.people().nameAttribute(), c.people().attributes()), c.groups(),
        new DirectoryConfig.Pool(c.pool().size(), c.pool().connectTimeout(),
        c.pool().responseTimeout()));
  }

  /** Returns the configuration with further settings. */
  public static DirectoryConfig config(
      Security security, Optional<Path> trust, Optional<String> bindDn, String bindPassword, int poolSize, int... ports) {
    return new DirectoryConfig(
        Arrays.stream(ports).mapToObj(port -> new Server("localhost", port)).toList(),
        security,
        trust,
        bindDn,
        bindDn.map(_ -> new Secret(bindPassword)),
        new DirectoryConfig.People(BASE,
        "(&(objectClass=inetOrgPerson)(uid={name}))",
        "entryUUID",
        "uid",
        Map.of("cn", "cn", "mail", "mail", "telephone", "telephoneNumber")),
        new GroupConfig(
            "ou=groups," + BASE,
            "(member={dn})",
            "cn",
            Map.of("employee", List.of("employees"), "manager", List.of("managers", "bosses"))),
        new DirectoryConfig.Pool(poolSize,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10)));
  }
}
