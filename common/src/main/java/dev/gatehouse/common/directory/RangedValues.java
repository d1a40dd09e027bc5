package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Range retrieval of Active Directory ([MS-ADTS], section 3.1.1.3.1.3.3). Of an attribute with more than 1,500 values the server
 * sends the first ones as {@code memberOf;range=0-1499} and an empty {@code memberOf}; the last piece ends in {@code *}.
 */
final class RangedValues {

  private static final Pattern RANGE = Pattern.compile("(?i)([^;]+);range=(\\d{1,9})-(\\d{1,9}|\\*)");

  /** Limit of one attribute: at least 75,000 values. No person has more. */
  private static final int MAX_PIECES = 50;

  private RangedValues() {}

  /** Returns the entry with all values of its attributes; the same entry if it was complete. */
  static SearchResultEntry whole(LDAPConnection connection, SearchResultEntry entry, int seconds) throws LDAPException {
    if (entry.getAttributes().stream().noneMatch(attribute -> range(attribute).isPresent())) {
      return entry;
    }
    Entry whole = new Entry(entry.getDN());
    for (Attribute attribute : entry.getAttributes()) {
      Optional<Matcher> range = range(attribute);
      if (range.isEmpty()) {
        whole.addAttribute(attribute);
      } else {
        addAll(connection, whole, attribute, range.get(), seconds);
      }
    }
    return new SearchResultEntry(whole);
  }

  private static void addAll(LDAPConnection connection, Entry whole, Attribute first, Matcher range, int seconds)
      throws LDAPException {
    String name = range.group(1);
    Attribute piece = first;
    Matcher read = range;
    for (int pieces = 1; ; pieces++) {
      whole.addAttribute(new Attribute(name, piece.getRawValues()));
      if (read.group(3).equals("*")) {
        return;
      }
      int next = Integer.parseInt(read.group(3)) + 1;
      if (pieces == MAX_PIECES) {
        throw new DirectoryUnavailable(whole.getDN() + " has more values of " + name + " than we read: " + next);
      }
      piece = piece(connection, whole.getDN(), name, next, seconds);
      read = range(piece).orElseThrow();
    }
  }

  private static Attribute piece(LDAPConnection connection, String dn, String name, int from, int seconds)
      throws LDAPException {
    SearchRequest request =
        new SearchRequest(
            dn, SearchScope.BASE, DereferencePolicy.NEVER, 0, seconds, false,
            Filter.createPresenceFilter("objectClass"), name + ";range=" + from + "-*");
    return connection.search(request).getSearchEntries().stream()
        .flatMap(entry -> entry.getAttributes().stream())
        .filter(found -> range(found).filter(r -> Integer.parseInt(r.group(2)) == from).isPresent())
        .findFirst()
        .orElseThrow(() -> new DirectoryUnavailable("the values of " + name + " of " + dn + " from " + from + " did not come"));
  }

  private static Optional<Matcher> range(Attribute attribute) {
    String name = attribute.getName();
    if (name.indexOf(';') < 0) {
      return Optional.empty();
    }
    Matcher range = RANGE.matcher(name);
    return range.matches() ? Optional.of(range) : Optional.empty();
  }
}
