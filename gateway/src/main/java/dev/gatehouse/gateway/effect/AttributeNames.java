package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.expression.Expression;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.AttributeName;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The attributes of people that a realm's policies name.
 *
 * @param all whether an expression may use any attribute, because it computes the name
 */
record AttributeNames(Set<String> names, boolean all) {

  private static final Pattern USE = Pattern.compile("person\\s*\\.\\s*attributes");

  /** A use that names its attribute: by a literal in brackets, by a selection, or before {@code in}. */
  private static final Pattern NAMED =
      Pattern.compile(
          "person\\s*\\.\\s*attributes\\s*\\[\\s*(?:\"([^\"\\\\]*)\"|'([^'\\\\]*)')\\s*]"
              + "|person\\s*\\.\\s*attributes\\s*\\.\\s*([A-Za-z_][A-Za-z0-9_]*+)(?!\\s*\\()"
              + "|(?:\"([^\"\\\\]*)\"|'([^'\\\\]*)')\\s+in\\s+person\\s*\\.\\s*attributes(?!\\s*[.\\[])");

  static AttributeNames of(Realm realm) {
    Set<String> names = new TreeSet<>();
    boolean all = false;
    for (PolicyConfig policy : realm.gateway().policies()) {
      all |= collect(policy, names);
    }
    for (RouteConfig route : realm.gateway().routes()) {
      for (PolicyConfig policy : route.authorization().policies()) {
        all |= collect(policy, names);
      }
    }
    return new AttributeNames(Set.copyOf(names), all);
  }

  boolean contains(String name) {
    return all || names.contains(name);
  }

  private static boolean collect(PolicyConfig policy, Set<String> names) {
    boolean all = false;
    for (PolicyConfig.Rule rule : policy.rules()) {
      for (Condition condition : rule.conditions()) {
        switch (condition) {
          case Condition.Attribute(String name, Values values) -> names.add(AttributeName.plain(name));
          case Condition.Present(String name) -> names.add(AttributeName.plain(name));
          case Condition.When(Expression expression) -> all |= collect(expression.text(), names);
          case Condition.AnyRole other -> {}
          case Condition.AllRoles other -> {}
          case Condition.AnyGroup other -> {}
          case Condition.AllGroups other -> {}
          case Condition.User other -> {}
          case Condition.Login other -> {}
          case Condition.Client other -> {}
          case Condition.Weekly other -> {}
          case Condition.Dates other -> {}
          case Condition.Methods other -> {}
        }
      }
    }
    return all;
  }

  /** Returns whether the expression uses attributes that it does not name. */
  private static boolean collect(String expression, Set<String> names) {
    long uses = USE.matcher(expression).results().count();
    Matcher named = NAMED.matcher(expression);
    long found = 0;
    while (named.find()) {
      found++;
      for (int group = 1; group <= named.groupCount(); group++) {
        String name = named.group(group);
        if (name != null) {
          names.add(name);
        }
      }
    }
    return found < uses;
  }
}
