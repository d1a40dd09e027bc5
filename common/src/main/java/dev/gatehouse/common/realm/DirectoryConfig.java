package dev.gatehouse.common.realm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directory of people.
 *
 * @param servers in order of preference; a failed one is skipped until it is healthy again
 * @param security how the connection is protected
 * @param trust PEM certificates of the CAs for LDAPS and StartTLS; the JDK's if absent
 * @param bindDn the account that searches; anonymous if absent
 * @param people the search for people, and the attributes that are read
 * @param groups how groups, and from them roles, are found
 * @param pool connections to each server
 * @param mail mail to these people; none if absent
 */
public record DirectoryConfig(
    List<Server> servers,
    Security security,
    Optional<Path> trust,
    Optional<String> bindDn,
    Optional<Secret> bindPassword,
    People people,
    GroupConfig groups,
    Pool pool,
    Optional<PersonMailConfig> mail) {

  /** Creates a directory of people who get no mail. */
  public DirectoryConfig(
      List<Server> servers,
      Security security,
      Optional<Path> trust,
      Optional<String> bindDn,
      Optional<Secret> bindPassword,
      People people,
      GroupConfig groups,
      Pool pool) {
    this(servers, security, trust, bindDn, bindPassword, people, groups, pool, Optional.empty());
  }

  /**
   * The search for people, and the attributes that are read.
   *
   * @param baseDn the base of searches
   * @param filter an LDAP filter with {@code {name}} in place of the escaped login name, for example {@code
   *     (&(objectClass=inetOrgPerson)(uid={name}))}
   * @param idAttribute the immutable id: {@code entryUUID} by default
   * @param nameAttribute the login name as the directory spells it: {@code uid} by default
   * @param attributes the attributes to read: our attribute name to LDAP attribute
   */
  public record People(
      String baseDn, String filter, String idAttribute, String nameAttribute, Map<String, String> attributes) {}

  /**
   * Connections to each server.
   *
   * @param size the largest number
   * @param connectTimeout to open a connection
   * @param responseTimeout to wait for a response
   */
  public record Pool(int size, Duration connectTimeout, Duration responseTimeout) {}

  /** One LDAP server. */
  public record Server(String host, int port) {}

  /** The protection of the connection. */
  public enum Security {
    /** {@code ldap:}; the loader refuses it for hosts that are not loopback unless StartTLS is on. */
    PLAIN_LOOPBACK,
    START_TLS,
    LDAPS
  }

  /**
   * Groups of a person, found by a search below {@code baseDn}, or named by the person's entry.
   *
   * @param filter with {@code {dn}} in place of the person's DN; {@code (member={dn})} by default
   * @param nameAttribute of the group entry; {@code cn} by default
   * @param roles role to the groups that confer it; if empty, every group name is a role
   * @param most limit per person: a person in more groups cannot log in, since rights would be missing
   * @param attribute of a person's entry, with the DNs of all groups, such as {@code memberOf}; they are searched if absent
   */
  public record GroupConfig(
      String baseDn, String filter, String nameAttribute, Map<String, List<String>> roles, int most, Optional<String> attribute) {

    /** The default limit per person. */
    public static final int USUAL_LIMIT = 5_000;

    /** Groups that are searched. */
    public GroupConfig(String baseDn, String filter, String nameAttribute, Map<String, List<String>> roles, int most) {
      this(baseDn, filter, nameAttribute, roles, most, Optional.empty());
    }

    /** Groups that are searched, with the usual limit. */
    public GroupConfig(String baseDn, String filter, String nameAttribute, Map<String, List<String>> roles) {
      this(baseDn, filter, nameAttribute, roles, USUAL_LIMIT);
    }
  }
}
