package dev.gatehouse.gateway.node;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.PatternStore;
import dev.gatehouse.common.analytics.RecentLogin;
import dev.gatehouse.common.analytics.collect.Analytics;
import java.util.List;
import java.util.Map;

/** A person's logins in which unusual patterns are looked for, and the patterns about the person. */
final class LoginsOfPerson implements AdminResource.PersonData {

  private static final String LOGINS = "recentLogins";
  private static final String PATTERNS = "unusualLogins";

  private final Analytics analytics;

  LoginsOfPerson(Analytics analytics) {
    this.analytics = analytics;
  }

  @Override
  public Map<String, List<Map<String, Object>>> ofPerson(String realm, AdminResource.PersonReference person) {
    PatternStore.OfPerson stored = analytics.patterns().ofPerson(named(realm, person));
    return Map.of(
        LOGINS, stored.logins().stream().map(LoginsOfPerson::entry).toList(),
        PATTERNS, stored.patterns().stream().map(LoginsOfPerson::entry).toList());
  }

  /** A failed login may be of somebody else, whose address is not told. */
  private static Map<String, Object> entry(RecentLogin login) {
    return login.succeeded()
        ? Map.of("at", login.at(), "succeeded", true, "address", login.address())
        : Map.of("at", login.at(), "succeeded", false);
  }

  private static Map<String, Object> entry(Pattern pattern) {
    return Map.of("kind", pattern.kind().word(), "firstAt", pattern.firstAt(), "lastAt", pattern.lastAt());
  }

  @Override
  public Map<String, Integer> erase(String realm, AdminResource.PersonReference person, String by) {
    PatternStore.OfPerson erased = analytics.erase(named(realm, person));
    return Map.of(LOGINS, erased.logins().size(), PATTERNS, erased.patterns().size());
  }

  private static PatternStore.Erased named(String realm, AdminResource.PersonReference person) {
    return new PatternStore.Erased(realm, person.id(), person.name());
  }
}
