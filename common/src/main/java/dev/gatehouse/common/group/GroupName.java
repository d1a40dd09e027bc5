package dev.gatehouse.common.group;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of groups, compared as directories do: without regard to case and to repeated spaces (caseIgnoreMatch, RFC 4517, section 4.2.11),
 * and those that are DNs part by part (distinguishedNameMatch, section 4.2.15), so that spaces after commas do not count either. A server
 * may spell one group in several ways: OpenLDAP's overlay memberof writes its DN as the client did that changed the group. A rule that
 * excludes the group would otherwise not hold for some. Roles are compared in this way, too, because they may be names of groups.
 */
public final class GroupName {

  private static final int MOST_DNS = 2_000;
  private static final Pattern SPACES = Pattern.compile("  +");

  /** What identity providers assert may be DNs, a hundred for a person; reading each takes longer than a decision. */
  private static final LoadingCache<String, String> DNS =
      Caffeine.newBuilder().maximumSize(MOST_DNS).executor(Runnable::run).build(GroupName::ofDn);

  private GroupName() {}

  /** Returns what is equal for equal names. */
  public static String key(String name) {
    return name.indexOf('=') < 0 ? plain(name) : DNS.get(name);
  }

  private static String ofDn(String name) {
    try {
      return new DN(name).toNormalizedString();
    } catch (LDAPException e) {
      return plain(name);
    }
  }

  private static String plain(String name) {
    String trimmed = name.strip();
    String single = trimmed.contains("  ") ? SPACES.matcher(trimmed).replaceAll(" ") : trimmed;
    return single.toLowerCase(Locale.ROOT);
  }

  /** Returns the keys of several names. */
  public static Set<String> keys(Collection<String> names) {
    return names.stream().map(GroupName::key).collect(Collectors.toUnmodifiableSet());
  }

  /** Returns whether at least one of the names is given. */
  public static boolean isAny(Collection<String> wanted, Collection<String> given) {
    for (String name : given) {
      if (wanted.contains(name)) {
        // Nearly always, where one is given.
        return true;
      }
    }
    Set<String> keys = keys(wanted);
    return given.stream().anyMatch(name -> keys.contains(key(name)));
  }

  /** Returns whether somebody with the given names is one of those whom a setting permits; without names it permits everybody. */
  public static boolean permits(Collection<String> permitted, Collection<String> given) {
    return permitted.isEmpty() || isAny(permitted, given);
  }

  /** Returns whether all names are given. */
  public static boolean areAll(Collection<String> wanted, Collection<String> given) {
    return given.containsAll(wanted) || keys(given).containsAll(keys(wanted));
  }
}
