package dev.gatehouse.common.directory;

import com.unboundid.asn1.ASN1OctetString;
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
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import dev.gatehouse.common.realm.DirectoryConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The search for all people of a directory, in pages (RFC 2696) on one connection. What is not certainly all of them is no answer: whoever
 * is missing in it would be taken for gone.
 */
public final class PeopleSearch {

  /** Below Active Directory's MaxPageSize and OpenLDAP's default size limit. */
  private static final int PAGE = 500;

  /** Clauses of one filter: few enough for any server's limits. */
  private static final int AT_ONCE = 100;

  private static final Set<ResultCode> CUT_OFF =
      Set.of(ResultCode.SIZE_LIMIT_EXCEEDED, ResultCode.TIME_LIMIT_EXCEEDED, ResultCode.ADMIN_LIMIT_EXCEEDED, ResultCode.REFERRAL);

  /**
   * Which people, and what is read of them.
   *
   * @param base below which they are; the directory's base if absent
   * @param filter which they match beside the directory's own
   * @param groups the attribute with the DNs of groups
   */
  public record Query(Optional<String> base, Optional<String> filter, String displayName, String mail, Optional<String> groups) {
    static final Query EVERYWHERE = new Query(Optional.empty(), Optional.empty(), "cn", "mail", Optional.empty());
  }

  /**
   * An entry, as the directory has it: nothing in it is checked.
   *
   * @param groups the names in the DNs of groups
   * @param isDisabled whether the directory says that the account is
   */
  public record Entry(
      String dn,
      Optional<PersonId> id,
      Optional<String> name,
      Optional<String> displayName,
      Optional<String> mail,
      List<String> groups,
      boolean isDisabled) {}

  /** What came of the search. */
  public sealed interface Outcome {
    /** All people, in the directory's order. */
    record All(List<Entry> entries) implements Outcome {}

    /** Some may be missing. */
    record Incomplete(String why) implements Outcome {}
  }

  private final DirectoryConfig config;
  private final PersonFilter filter;
  private final IdAttribute id;
  private final Query query;

  PeopleSearch(DirectoryConfig config, Query query) {
    this.config = config;
    this.filter = new PersonFilter(config.people().filter());
    this.id = new IdAttribute(config.people().idAttribute());
    this.query = query;
  }

  private Filter people() throws LDAPException {
    Filter own = filter.ofAll().orElseGet(() -> Filter.createPresenceFilter(config.people().nameAttribute()));
    return query.filter().isEmpty() ? own : Filter.createANDFilter(own, Filter.create(query.filter().get()));
  }

  private SearchRequest request(Filter wanted, String... attributes) {
    return new SearchRequest(
        query.base().orElse(config.people().baseDn()), SearchScope.SUB, DereferencePolicy.NEVER, 0, seconds(), false, wanted, attributes);
  }

  /** Of each page. */
  private int seconds() {
    return (int) Math.max(1, config.pool().responseTimeout().toSeconds());
  }

  /** @param read learns how many entries were read; it may throw, which ends the search */
  Outcome all(LDAPConnection connection, LongConsumer read) throws LDAPException {
    Set<String> wanted = new LinkedHashSet<>(List.of(config.people().nameAttribute(), id.name(), query.displayName(), query.mail()));
    wanted.addAll(AccountState.ATTRIBUTES);
    query.groups().ifPresent(wanted::add);
    SearchRequest request = request(people(), wanted.toArray(String[]::new));
    List<Entry> all = new ArrayList<>();
    @Nullable ASN1OctetString cookie = null;
    do {
      request.setControls(new SimplePagedResultsControl(PAGE, cookie, false));
      SearchResult page;
      try {
        page = connection.search(request);
      } catch (LDAPSearchException e) {
        if (CUT_OFF.contains(e.getResultCode())) {
          return new Outcome.Incomplete("The server ends the search after " + all.size() + " people: " + e.getResultCode().getName());
        }
        throw e;
      }
      if (page.getReferenceCount() > 0) {
        return new Outcome.Incomplete("The server refers to another one for a part of the people: set a base that has none");
      }
      page.getSearchEntries().forEach(entry -> all.add(entry(entry)));
      read.accept(all.size());
      SimplePagedResultsControl answer = SimplePagedResultsControl.get(page);
      if (answer == null && cookie != null) {
        return new Outcome.Incomplete("The server does not say whether there are more than " + all.size() + " people");
      }
      cookie = answer == null || !answer.moreResultsToReturn() ? null : answer.getCookie();
    } while (cookie != null);
    return new Outcome.All(all);
  }

  private Entry entry(SearchResultEntry entry) {
    List<String> groups =
        query.groups().flatMap(name -> Optional.ofNullable(entry.getAttributeValues(name))).stream()
            .flatMap(Arrays::stream)
            .flatMap(PeopleSearch::group)
            .toList();
    return new Entry(
        entry.getDN(), id.of(entry), value(entry, config.people().nameAttribute()), value(entry, query.displayName()), value(entry, query.mail()),
        groups, AccountState.isDisabled(entry));
  }

  private static Optional<String> value(SearchResultEntry entry, String attribute) {
    return Optional.ofNullable(entry.getAttributeValue(attribute));
  }

  /** The name of a group: the value at the beginning of its DN. */
  private static Stream<String> group(String dn) {
    try {
      @Nullable RDN first = new DN(dn).getRDN();
      return first == null ? Stream.empty() : Stream.of(first.getAttributeValues()[0]);
    } catch (LDAPException e) {
      return Stream.empty();
    }
  }

  /** Returns those that the same search would find now, each asked for by id. */
  Set<PersonId> present(LDAPConnection connection, List<PersonId> ids) throws LDAPException {
    return found(connection, Optional.of(people()), ids);
  }

  /** Returns those who have an entry below the base. */
  Set<PersonId> existing(LDAPConnection connection, List<PersonId> ids) throws LDAPException {
    return found(connection, Optional.empty(), ids);
  }

  private Set<PersonId> found(LDAPConnection connection, Optional<Filter> condition, List<PersonId> ids) throws LDAPException {
    Set<PersonId> present = new HashSet<>();
    for (int i = 0; i < ids.size(); i += AT_ONCE) {
      List<Filter> each = ids.subList(i, Math.min(ids.size(), i + AT_ONCE)).stream().flatMap(one -> id.filter(one.value()).stream()).toList();
      if (!each.isEmpty()) {
        Filter one = Filter.createORFilter(each);
        SearchResult found = connection.search(request(condition.map(other -> Filter.createANDFilter(other, one)).orElse(one), id.name()));
        found.getSearchEntries().forEach(entry -> id.of(entry).ifPresent(present::add));
      }
    }
    return present;
  }
}
