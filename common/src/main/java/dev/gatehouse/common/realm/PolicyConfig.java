package dev.gatehouse.common.realm;

import dev.gatehouse.common.expression.Expression;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One policy: rules that permit or deny. Of all policies of a route together, a rule that denies overrides all rules that permit;
 * if no rule permits, the request is denied.
 *
 * @param name unique in the realm; shown in traces. Rules of a route itself form a policy with the route's name
 */
public record PolicyConfig(String name, List<Rule> rules) {

  public PolicyConfig {
    rules = List.copyOf(rules);
  }

  /** Returns whether some rule depends on the person. */
  public boolean asksPerson() {
    return rules.stream().flatMap(rule -> rule.conditions().stream()).anyMatch(Condition::asksPerson);
  }

  public enum Effect {
    PERMIT,
    DENY
  }

  /**
   * One rule: it applies if all its conditions hold.
   *
   * @param name unique in the policy; by default {@code rule 1}, {@code rule 2} ... by position
   * @param conditions the rule applies to everybody if empty
   */
  public record Rule(String name, Effect effect, List<Condition> conditions) {
    public Rule {
      conditions = List.copyOf(conditions);
    }
  }

  /** A condition on a person or a request. */
  public sealed interface Condition {

    /** Returns whether it can hold only for an identified person. */
    default boolean asksPerson() {
      return switch (this) {
        case AnyRole roles -> true;
        case AllRoles roles -> true;
        case AnyGroup groups -> true;
        case AllGroups groups -> true;
        case User user -> true;
        case Attribute attribute -> true;
        case Present present -> true;
        case Login login -> true;
        case Client client -> false;
        case Weekly weekly -> false;
        case Dates dates -> false;
        case Methods methods -> false;
        case When(Expression expression) -> expression.asksPerson();
      };
    }

    /** Returns the path variables that it uses. */
    default Set<String> pathVariables() {
      return switch (this) {
        case User(Values values) -> values.variables();
        case Attribute(String name, Values values) -> values.variables();
        case When(Expression expression) -> expression.pathVariables();
        case AnyRole roles -> Set.of();
        case AllRoles roles -> Set.of();
        case AnyGroup groups -> Set.of();
        case AllGroups groups -> Set.of();
        case Present present -> Set.of();
        case Login login -> Set.of();
        case Client client -> Set.of();
        case Weekly weekly -> Set.of();
        case Dates dates -> Set.of();
        case Methods methods -> Set.of();
      };
    }

    record AnyRole(Set<String> names) implements Condition {}

    record AllRoles(Set<String> names) implements Condition {}

    record AnyGroup(Set<String> names) implements Condition {}

    record AllGroups(Set<String> names) implements Condition {}

    /** The user's name is one of these. */
    record User(Values values) implements Condition {}

    /** One of the attribute's values is one of these. */
    record Attribute(String name, Values values) implements Condition {}

    /** The attribute has a value. */
    record Present(String attribute) implements Condition {}

    /** The client's address, after trusted proxies, lies in one of the blocks. */
    record Client(List<Cidr> blocks) implements Condition {}

    /** A condition on the time alone. */
    sealed interface Times extends Condition {
      boolean holds(Instant now);
    }

    /**
     * A time of the week.
     *
     * @param days on which it begins
     * @param from inclusive
     * @param to exclusive; on the next day if it is not after {@code from}
     */
    record Weekly(Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone) implements Times {
      @Override
      public boolean holds(Instant now) {
        ZonedDateTime there = now.atZone(zone);
        LocalTime time = there.toLocalTime();
        DayOfWeek day = there.getDayOfWeek();
        boolean begun = !time.isBefore(from);
        boolean notOver = time.isBefore(to);
        if (from.isBefore(to)) {
          return begun && notOver && days.contains(day);
        }
        // The time range extends into the next day: in the morning it began on the day before.
        return begun && days.contains(day) || notOver && days.contains(day.minus(1));
      }
    }

    /**
     * A period.
     *
     * @param from inclusive
     * @param to exclusive
     */
    record Dates(Optional<Instant> from, Optional<Instant> to) implements Times {
      @Override
      public boolean holds(Instant now) {
        return (from.isEmpty() || !now.isBefore(from.get())) && (to.isEmpty() || now.isBefore(to.get()));
      }
    }

    /** The request's method; {@code GET} covers {@code HEAD}. */
    record Methods(Set<String> names) implements Condition {}

    /** The login achieved one of these AuthnContextClassRefs (of a token: {@code acr}); never empty. */
    record Login(List<String> authnContext) implements Condition {}

    record When(Expression expression) implements Condition {}
  }

  /**
   * Values for a comparison.
   *
   * @param variables variables of the route's path, whose content is a value too
   */
  public record Values(Set<String> fixed, Set<String> variables) {}
}
