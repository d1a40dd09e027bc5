package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.SearchResultEntry;
import dev.gatehouse.common.directory.Connections.Use;
import dev.gatehouse.common.directory.PersonReader.Found;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.throttle.LoginNames;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the owners of many login names. One search covers {@value #AT_ONCE} names if the configured filter compares the name only
 * with the attribute of names. Otherwise it searches one by one, because a result's entries could not be assigned to names.
 */
final class NameOwners {

  /** Clauses of one filter: few enough for any server's limits. */
  private static final int AT_ONCE = 100;

  private final LdapServers servers;
  private final PersonReader reader;
  private final DirectoryConfig config;
  private final IdAttribute id;

  NameOwners(LdapServers servers, PersonReader reader, DirectoryConfig config) {
    this.servers = servers;
    this.reader = reader;
    this.config = config;
    this.id = new IdAttribute(config.people().idAttribute());
  }

  Map<String, NameOwner> of(Collection<String> loginNames) {
    Map<String, NameOwner> owners = new HashMap<>();
    List<String> names = List.copyOf(new LinkedHashSet<>(loginNames));
    for (int i = 0; i < names.size(); i += AT_ONCE) {
      owners.putAll(ofSome(names.subList(i, Math.min(names.size(), i + AT_ONCE))));
    }
    return owners;
  }

  private Map<String, NameOwner> ofSome(List<String> names) {
    Map<String, Set<PersonId>> found = reader.comparesNamesAlone() ? search(names) : Map.of();
    Set<String> alike = found.keySet().stream().map(LoginNames::counted).collect(Collectors.toSet());
    Map<String, NameOwner> owners = new HashMap<>();
    for (String name : names) {
      Set<PersonId> ids = LoginNames.sought(name).isEmpty() ? Set.of() : found.getOrDefault(LoginNames.normal(name), Set.of());
      // Names that are equal after our folding may differ for the directory, and names that differ may be equal there (accents).
      boolean unsure = ids.size() > 1 || (ids.isEmpty() && alike.contains(LoginNames.counted(name)));
      boolean alone = !reader.comparesNamesAlone() || unsure;
      owners.put(name, alone ? one(name) : owner(ids));
    }
    return owners;
  }

  private static NameOwner owner(Set<PersonId> ids) {
    return ids.isEmpty() ? new NameOwner.None() : new NameOwner.One(ids.iterator().next());
  }

  /** Returns ids by name, in a form that folds at least as much as the directory does. */
  private Map<String, Set<PersonId>> search(List<String> names) {
    List<String> cleaned = names.stream().map(LoginNames::sought).filter(name -> !name.isEmpty()).toList();
    Map<String, Set<PersonId>> ids = new HashMap<>();
    if (cleaned.isEmpty()) {
      return ids;
    }
    for (SearchResultEntry entry : servers.run(Use.SEARCH, c -> reader.byNames(c, cleaned))) {
      Optional<PersonId> person = id.of(entry);
      String[] values = entry.getAttributeValues(config.people().nameAttribute());
      if (person.isPresent() && values != null) {
        Arrays.stream(values)
            .map(LoginNames::normal)
            .forEach(name -> ids.computeIfAbsent(name, n -> new HashSet<>()).add(person.get()));
      }
    }
    return ids;
  }

  private NameOwner one(String name) {
    String cleaned = LoginNames.sought(name);
    if (cleaned.isEmpty()) {
      return new NameOwner.None();
    }
    return switch (servers.run(Use.SEARCH, c -> reader.byName(c, cleaned))) {
      case Found.None() -> new NameOwner.None();
      case Found.Several() -> new NameOwner.Several();
      case Found.One(var read) ->
          id.of(read.value()).<NameOwner>map(NameOwner.One::new).orElseGet(NameOwner.None::new);
    };
  }
}
