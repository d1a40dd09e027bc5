package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.realm.DirectoryConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Searches for people and their groups (RFC 4511, section 4.5); names and DNs are escaped in filters (RFC 4515). */
final class PersonReader {

  /** The result of a search for one person. */
  sealed interface Found {
    record One(Kept<SearchResultEntry> read) implements Found {}

    record None() implements Found {}

    record Several() implements Found {}
  }

  /**
   * What was read and is kept.
   *
   * @param readAt before the entry was read ({@link System#nanoTime}): an answer that comes late does not make it younger, nor does what is
   *     read for it later
   */
  record Kept<T>(T value, long readAt) {
    boolean isYounger(Duration age) {
      return System.nanoTime() - readAt < age.toNanos();
    }

    /** Returns the one that was read later: reads of one person may overtake each other. */
    static <T> Kept<T> later(Kept<T> one, Kept<T> other) {
      return one.readAt - other.readAt > 0 ? one : other;
    }
  }

  private final DirectoryConfig config;
  private final PersonFilter filter;
  private final IdAttribute id;
  private final String[] attributes;
  private final boolean findsByNamesOnly;

  /** Maps the {@linkplain GroupName#key key} of a group's name to its roles. */
  private final Map<String, Set<String>> roles;

  PersonReader(DirectoryConfig config) {
    this.config = config;
    this.filter = new PersonFilter(config.people().filter());
    this.findsByNamesOnly = filter.looksAtNamesOnly();
    this.id = new IdAttribute(config.people().idAttribute());
    Set<String> wanted = new LinkedHashSet<>(config.people().attributes().values());
    wanted.add(config.people().nameAttribute());
    // The id is an operational attribute in most directories: it is returned only if requested by name.
    wanted.add(config.people().idAttribute());
    // So is memberOf in some.
    config.groups().attribute().ifPresent(wanted::add);
    wanted.addAll(AccountState.ATTRIBUTES);
    this.attributes = wanted.toArray(String[]::new);
    this.roles = rolesOfGroups(config.groups().roles());
  }

  private static Map<String, Set<String>> rolesOfGroups(Map<String, List<String>> groupsOfRoles) {
    Map<String, Set<String>> roles = new LinkedHashMap<>();
    groupsOfRoles.forEach(
        (role, groups) ->
            groups.forEach(group -> roles.computeIfAbsent(GroupName.key(group), g -> new LinkedHashSet<>()).add(role)));
    return roles;
  }

  Found byName(LDAPConnection connection, String name) throws LDAPException {
    return one(connection, filter.ofName(name), attributes);
  }

  /** Returns all people found by one of the names, with id and names only. */
  List<SearchResultEntry> byNames(LDAPConnection connection, List<String> names) throws LDAPException {
    List<Filter> filters = new ArrayList<>();
    for (String name : names) {
      filters.add(filter.ofName(name));
    }
    return connection
        .search(request(config.people().baseDn(), Filter.createORFilter(filters), config.people().idAttribute(), config.people().nameAttribute()))
        .getSearchEntries();
  }

  /** Returns whether a name finds only people whose name attribute equals it. */
  boolean comparesNamesAlone() {
    return filter.comparesNameWith(config.people().nameAttribute());
  }

  /**
   * Returns whether an entry may be used for another login some seconds later: where people are found by their names only, and not by the
   * state of their accounts, and where the entry does not say which groups they have.
   */
  boolean mayKeepEntries() {
    return findsByNamesOnly && config.groups().attribute().isEmpty();
  }

  Found byId(LDAPConnection connection, PersonId person) throws LDAPException {
    Optional<Filter> wanted = filter.ofId(id, person);
    return wanted.isPresent() ? one(connection, wanted.get(), attributes) : new Found.None();
  }

  /** Returns the person whose value both the directory and we find equal: it may ignore accents, which make another domain. */
  Found by(LDAPConnection connection, String attribute, String value) throws LDAPException {
    Optional<Filter> equal = filter.of(attribute, value);
    Found found = equal.isPresent() ? one(connection, equal.get(), attributesAnd(attribute)) : new Found.None();
    return found instanceof Found.One(var read) && !SameValue.isIn(read.value(), attribute, value)
        ? new Found.None()
        : found;
  }

  private String[] attributesAnd(String attribute) {
    if (Arrays.asList(attributes).contains(attribute)) {
      return attributes;
    }
    String[] all = Arrays.copyOf(attributes, attributes.length + 1);
    all[attributes.length] = attribute;
    return all;
  }

  private Found one(LDAPConnection connection, Filter filter, String... wanted) throws LDAPException {
    SearchRequest request = request(config.people().baseDn(), filter, wanted);
    request.setSizeLimit(2);
    long readAt = System.nanoTime();
    SearchResult result;
    try {
      result = connection.search(request);
    } catch (LDAPSearchException e) {
      if (e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
        return new Found.Several();
      }
      throw e;
    }
    List<SearchResultEntry> entries = result.getSearchEntries();
    return switch (entries.size()) {
      case 0 -> new Found.None();
      case 1 -> new Found.One(new Kept<>(RangedValues.whole(connection, entries.getFirst(), seconds()), readAt));
      default -> new Found.Several();
    };
  }

  /** The names of a person's groups, or the reason why they are not known. */
  sealed interface Groups {
    /** In the directory's order. */
    record Known(List<String> names) implements Groups {}

    record Unknown(String why) implements Groups {}
  }

  /**
   * Returns the groups that an attribute of the entry names, such as {@code memberOf}, which spares the search for them; empty if they are
   * to be searched. As with a search, the configured base and groups below it count, and no others.
   */
  Optional<Groups> groupsIn(SearchResultEntry entry) {
    return config.groups().attribute().map(attribute -> groupsIn(entry, attribute));
  }

  /** Returns all or none: without one of them a rule that excludes a group would not apply. */
  private Groups groupsIn(SearchResultEntry entry, String attribute) {
    DirectoryConfig.GroupConfig groups = config.groups();
    if (entry.getAttributes().stream().anyMatch(given -> given.getBaseName().equalsIgnoreCase(attribute) && given.hasOptions())) {
      // RangedValues has joined the pieces of many values: what has an option still is not read, and is perhaps not all.
      return new Groups.Unknown(attribute + " has values with options, which are not read (directory.groups.attribute)");
    }
    String[] dns = entry.getAttributeValues(attribute);
    List<String> names = new ArrayList<>();
    try {
      DN base = new DN(groups.baseDn());
      for (String value : dns == null ? new String[0] : dns) {
        DN group = new DN(value);
        if (!group.isDescendantOf(base, true)) {
          continue;
        }
        Optional<String> name = name(group.getRDNs()[0], groups.nameAttribute());
        if (name.isEmpty()) {
          return new Groups.Unknown(value + " does not begin with " + groups.nameAttribute() + " (directory.groups.nameAttribute)");
        }
        names.add(name.get());
      }
    } catch (LDAPException e) {
      return new Groups.Unknown(attribute + " has a value that is not a DN (directory.groups.attribute)");
    }
    return names.size() > groups.most()
        ? new Groups.Unknown("more than " + groups.most() + " (directory.groups.most)")
        : new Groups.Known(List.copyOf(names));
  }

  private static Optional<String> name(RDN group, String nameAttribute) {
    String[] attributes = group.getAttributeNames();
    for (int i = 0; i < attributes.length; i++) {
      if (attributes[i].equalsIgnoreCase(nameAttribute)) {
        return Optional.of(group.getAttributeValues()[i]).filter(name -> !name.isBlank());
      }
    }
    return Optional.empty();
  }

  Groups groups(LDAPConnection connection, String dn) throws LDAPException {
    DirectoryConfig.GroupConfig groups = config.groups();
    String filter = groups.filter().replace("{dn}", Filter.encodeValue(dn));
    SearchRequest request = request(groups.baseDn(), Filter.create(filter), groups.nameAttribute());
    List<String> names = new ArrayList<>();
    PagedSearch.Outcome outcome = PagedSearch.all(connection, request, groups.most());
    if (outcome instanceof PagedSearch.Outcome.TooMany(String why)) {
      return new Groups.Unknown(why + " (directory.groups.most, directory.groups.filter)");
    }
    for (SearchResultEntry group : ((PagedSearch.Outcome.All) outcome).entries()) {
      String name = group.getAttributeValue(groups.nameAttribute());
      if (name != null) {
        names.add(name);
      }
    }
    return new Groups.Known(List.copyOf(names));
  }

  private SearchRequest request(String baseDn, Filter filter, String... wanted) {
    return new SearchRequest(
        baseDn, SearchScope.SUB, DereferencePolicy.NEVER, 0, seconds(), false, filter, wanted);
  }

  private int seconds() {
    return (int) Math.max(1, config.pool().responseTimeout().toSeconds());
  }

  /** Returns the person; empty if the entry lacks an id or a name. */
  Optional<Person> person(SearchResultEntry entry, List<String> groups) {
    Optional<PersonId> person = id.of(entry);
    String name = entry.getAttributeValue(config.people().nameAttribute());
    if (person.isEmpty() || name == null || name.isBlank()) {
      return Optional.empty();
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    config
        .people()
        .attributes()
        .forEach(
            (ours, theirs) -> {
              String[] found = entry.getAttributeValues(theirs);
              if (found != null) {
                values.put(ours, List.copyOf(Arrays.asList(found)));
              }
            });
    return Optional.of(
        new Person(
            person.get(), name, entry.getDN(), java.util.Collections.unmodifiableMap(values), groups, roles(groups)));
  }

  private Set<String> roles(List<String> groups) {
    if (config.groups().roles().isEmpty()) {
      return Set.copyOf(groups);
    }
    Set<String> given = new HashSet<>();
    groups.forEach(group -> given.addAll(roles.getOrDefault(GroupName.key(group), Set.of())));
    return Set.copyOf(given);
  }
}
