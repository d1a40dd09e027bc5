package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The configured filter for people (RFC 4515). A person must match it both when found by name and when found again by id: the
 * usual way to lock people out is a filter that excludes them, as {@code (!(accountStatus=disabled))}.
 */
final class PersonFilter {

  private static final String PLACEHOLDER = "{name}";

  /** Stands for a name while the filter is parsed. */
  private static final String MARK = "gatehouse0name0placeholder";

  /** Classes that an entry keeps: others may be given and taken as states of an account are. */
  private static final Set<String> KINDS = Set.of("top", "person", "organizationalperson", "inetorgperson", "user", "posixaccount");

  private final String template;

  /** Without the conditions on the name, once it was made: each search for a person has it. */
  private volatile Optional<Optional<Filter>> rest = Optional.empty();

  PersonFilter(String template) {
    this.template = template;
  }

  Filter ofName(String name) throws LDAPException {
    return Filter.create(template.replace(PLACEHOLDER, Filter.encodeValue(name)));
  }

  /** Returns whether the only condition on the name is equality with this attribute, combined with any other conditions by AND. */
  boolean comparesNameWith(String attribute) {
    String condition = "(" + attribute + "=" + PLACEHOLDER + ")";
    boolean once = template.indexOf(PLACEHOLDER) == template.lastIndexOf(PLACEHOLDER);
    return once && template.contains(condition) && !template.contains("(|") && !template.contains("(!" + condition);
  }

  /**
   * Returns whether an entry that exists is found by its names alone: other conditions than the kind of entry may express a state of the
   * account, by which people are locked out at once.
   */
  boolean looksAtNamesOnly() {
    try {
      return looksAtNamesOnly(Filter.create(template.replace(PLACEHOLDER, MARK)));
    } catch (LDAPException e) {
      return false;
    }
  }

  private static boolean looksAtNamesOnly(Filter filter) {
    return switch (filter.getFilterType()) {
      case Filter.FILTER_TYPE_AND, Filter.FILTER_TYPE_OR ->
          Arrays.stream(filter.getComponents()).allMatch(PersonFilter::looksAtNamesOnly);
      case Filter.FILTER_TYPE_EQUALITY ->
          filter.getAssertionValue().equals(MARK)
              || Set.of("objectclass", "objectcategory").contains(filter.getAttributeName().toLowerCase(Locale.ROOT))
                  && KINDS.contains(filter.getAssertionValue().toLowerCase(Locale.ROOT));
      default -> false;
    };
  }

  /** Returns the filter by id without the conditions on the name, which may have changed meanwhile. */
  Optional<Filter> ofId(IdAttribute attribute, PersonId id) throws LDAPException {
    return of(attribute.name(), id.value());
  }

  /** Returns the filter by another attribute without the conditions on the name; empty if nobody can have the value. */
  Optional<Filter> of(String attribute, String value) throws LDAPException {
    Optional<Filter> all = ofAll();
    return new IdAttribute(attribute)
        .filter(value)
        .map(wanted -> all.map(others -> Filter.createANDFilter(wanted, others)).orElse(wanted));
  }

  /** Returns the filter without the conditions on the name; empty if nothing is left. */
  Optional<Filter> ofAll() throws LDAPException {
    Optional<Optional<Filter>> known = rest;
    if (known.isPresent()) {
      return known.get();
    }
    Optional<Filter> made = withoutName(Filter.create(template.replace(PLACEHOLDER, MARK)));
    rest = Optional.of(made);
    return made;
  }

  /** Returns what is left of the filter if every condition on the name holds; empty if nothing is left. */
  private static Optional<Filter> withoutName(Filter filter) {
    if (!filter.toString().contains(MARK)) {
      return Optional.of(filter);
    }
    List<Optional<Filter>> parts = Arrays.stream(filter.getComponents()).map(PersonFilter::withoutName).toList();
    List<Filter> left = parts.stream().flatMap(Optional::stream).toList();
    boolean isOr = filter.getFilterType() == Filter.FILTER_TYPE_OR;
    if (left.isEmpty() || (isOr && left.size() < parts.size())) {
      return Optional.empty();
    }
    return Optional.of(isOr ? Filter.createORFilter(left) : Filter.createANDFilter(left));
  }
}
