package dev.gatehouse.common.directory;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import dev.gatehouse.common.directory.Connections.Use;
import dev.gatehouse.common.realm.DirectoryConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads and writes the federation attribute of people's entries, as the service account. Entries that the person filter excludes
 * are included: a person who is locked out still owns their name.
 */
final class FederationEntries {

  /** The auxiliary class that allows our own attribute; see {@code docker/directory/gatehouse.schema}. */
  static final String OBJECT_CLASS = "gatehouseFederatedPerson";

  private static final int PAGE = 500;

  /** An entry with the attribute's values. */
  record Entry(String dn, PersonId person, List<String> values) {}

  /** The result of a modification. */
  enum Change {
    DONE,
    /** A value existed already, or does not exist any more: somebody else changed the entry. */
    CONFLICT,
    /** The directory itself found the value in another entry (slapd's overlay {@code unique}). */
    NOT_UNIQUE,
    GONE
  }

  private final LdapServers servers;
  private final DirectoryConfig config;
  private final String attribute;
  private final IdAttribute id;

  FederationEntries(LdapServers servers, DirectoryConfig config, String attribute) {
    this.servers = servers;
    this.config = config;
    this.attribute = attribute;
    this.id = new IdAttribute(config.people().idAttribute());
  }

  Optional<Entry> ofPerson(PersonId person) {
    return ofPeople(List.of(person)).stream().findFirst();
  }

  /** Returns the existing entries of these people, in any order. */
  List<Entry> ofPeople(Collection<PersonId> people) {
    List<Filter> filters = people.stream().flatMap(person -> id.filter(person.value()).stream()).toList();
    return filters.isEmpty() ? List.of() : search(Filter.createORFilter(filters));
  }

  /** Returns all entries that hold one of the values. */
  List<Entry> holding(Collection<String> values) {
    return search(
            Filter.createORFilter(
                values.stream().map(value -> Filter.createEqualityFilter(attribute, value)).toList()))
        .stream()
        // The schema's matching rule may be less exact than ours.
        .filter(entry -> entry.values().stream().anyMatch(values::contains))
        .toList();
  }

  private List<Entry> search(Filter filter) {
    return servers.run(
        Use.SEARCH,
        connection -> {
          List<Entry> entries = new ArrayList<>();
          connection.search(request(filter)).getSearchEntries().forEach(e -> entry(e).ifPresent(entries::add));
          return entries;
        });
  }

  /** Passes each entry that holds the value to the consumer, reading the directory page by page. */
  void each(String value, Consumer<Entry> consumer) {
    servers.run(
        Use.SEARCH,
        connection -> {
          try {
            eachOn(connection, value, consumer);
          } catch (LDAPSearchException e) {
            if (e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED)) {
              throw new DirectoryUnavailable(
                  "the directory's size limit is less than the links of one partner; raise it for the bind DN");
            }
            throw e;
          }
          return true;
        });
  }

  private void eachOn(LDAPConnection connection, String value, Consumer<Entry> consumer) throws LDAPException {
    Optional<ASN1OctetString> cookie = Optional.empty();
    do {
      SearchRequest request = request(Filter.createEqualityFilter(attribute, value));
      request.addControl(
          cookie.map(c -> new SimplePagedResultsControl(PAGE, c)).orElseGet(() -> new SimplePagedResultsControl(PAGE)));
      SearchResult result = connection.search(request);
      result.getSearchEntries().forEach(e -> entry(e).ifPresent(consumer));
      cookie =
          Optional.ofNullable(SimplePagedResultsControl.get(result))
              .filter(SimplePagedResultsControl::moreResultsToReturn)
              .map(SimplePagedResultsControl::getCookie);
    } while (cookie.isPresent());
  }

  private SearchRequest request(Filter filter) {
    int seconds = (int) Math.max(1, config.pool().responseTimeout().toSeconds());
    return new SearchRequest(
        config.people().baseDn(), SearchScope.SUB, DereferencePolicy.NEVER, 0, seconds, false, filter,
        config.people().idAttribute(), attribute);
  }

  private Optional<Entry> entry(SearchResultEntry entry) {
    String[] values = entry.getAttributeValues(attribute);
    return id.of(entry)
        .map(person -> new Entry(entry.getDN(), person, values == null ? List.of() : List.of(values)));
  }

  /** Makes all changes or none (RFC 4511, section 4.6). */
  Change change(Entry entry, List<String> removed, List<String> added) {
    List<Modification> changes = new ArrayList<>();
    if (!removed.isEmpty()) {
      changes.add(new Modification(ModificationType.DELETE, attribute, removed.toArray(String[]::new)));
    }
    if (!added.isEmpty()) {
      changes.add(new Modification(ModificationType.ADD, attribute, added.toArray(String[]::new)));
    }
    return servers.run(Use.SEARCH, connection -> change(connection, entry.dn(), changes));
  }

  private Change change(LDAPConnection connection, String dn, List<Modification> changes) throws LDAPException {
    ResultCode code = modify(connection, dn, changes);
    if (code.equals(ResultCode.OBJECT_CLASS_VIOLATION)) {
      List<Modification> withClass = new ArrayList<>(changes);
      withClass.add(new Modification(ModificationType.ADD, "objectClass", OBJECT_CLASS));
      code = modify(connection, dn, withClass);
    }
    if (code.equals(ResultCode.SUCCESS)) {
      return Change.DONE;
    }
    if (code.equals(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS) || code.equals(ResultCode.NO_SUCH_ATTRIBUTE)) {
      return Change.CONFLICT;
    }
    if (code.equals(ResultCode.CONSTRAINT_VIOLATION)) {
      return Change.NOT_UNIQUE;
    }
    if (code.equals(ResultCode.NO_SUCH_OBJECT)) {
      return Change.GONE;
    }
    throw new DirectoryUnavailable(remedy(code));
  }

  private ResultCode modify(LDAPConnection connection, String dn, List<Modification> changes) throws LDAPException {
    try {
      return connection.modify(new ModifyRequest(dn, changes)).getResultCode();
    } catch (LDAPException e) {
      if (!e.getResultCode().isConnectionUsable() || e.getResultCode().isClientSideResultCode()
          || e.getResultCode().equals(ResultCode.BUSY) || e.getResultCode().equals(ResultCode.UNAVAILABLE)) {
        throw e;
      }
      return e.getResultCode();
    }
  }

  /** Returns a message that tells the operator what to do. */
  private String remedy(ResultCode code) {
    String what = "the directory refuses to store links in the attribute " + attribute + " (" + code.getName() + "): ";
    if (code.equals(ResultCode.UNDEFINED_ATTRIBUTE_TYPE) || code.equals(ResultCode.OBJECT_CLASS_VIOLATION)
        || code.equals(ResultCode.INVALID_ATTRIBUTE_SYNTAX)) {
      return what + "load docker/directory/gatehouse.schema, or name an attribute of text that people's entries may have";
    }
    if (code.equals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS)) {
      return what + "give the account " + config.bindDn().orElse("(no bindDn is configured)") + " the right to write it";
    }
    return what + "see the directory's log";
  }
}
