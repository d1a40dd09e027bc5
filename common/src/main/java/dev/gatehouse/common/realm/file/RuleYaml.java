package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.expression.Expression;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.NamedContract;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one rule: {@code permit:} or {@code deny:} with its conditions, or {@code everybody}. */
final class RuleYaml {

  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z][A-Za-z0-9]{0,29})}");

  private static final Map<String, NamedContract> CONTRACTS =
      Map.of(
          "password", NamedContract.PASSWORD, "certificate", NamedContract.CERTIFICATE, "mfa", NamedContract.MFA);

  private final YamlSection section;
  private final Set<String> variables;

  /** @param variables that paths may have */
  RuleYaml(YamlSection section, Set<String> variables) {
    this.section = section;
    this.variables = variables;
  }

  Optional<Rule> read(String name) {
    boolean permits = section.has("permit");
    boolean denies = section.has("deny");
    Optional<List<Condition>> permitted = conditions("permit");
    Optional<List<Condition>> denied = conditions("deny");
    if (permits == denies) {
      section.problem(
          permits ? "deny" : "permit", permits ? "stands beside permit" : "is missing, and deny too",
          "write one of them: a rule permits or denies");
      return Optional.empty();
    }
    return permits
        ? permitted.map(conditions -> new Rule(name, Effect.PERMIT, conditions))
        : denied.map(conditions -> new Rule(name, Effect.DENY, conditions));
  }

  /** Returns the conditions; empty, with a problem, if the rule would apply to everybody without saying so. */
  private Optional<List<Condition>> conditions(String key) {
    if (section.isScalar(key)) {
      return section.value(key).flatMap(value -> value.choice(Map.of("everybody", List.of())));
    }
    Optional<YamlSection> written = section.section(key);
    if (written.isEmpty()) {
      return Optional.empty();
    }
    List<Condition> conditions = conditions(written.get());
    if (conditions.isEmpty() && written.get().isEmpty()) {
      section.problem(key, "names no condition", "write conditions, like {roles: staff}, or everybody");
    }
    return conditions.isEmpty() ? Optional.empty() : Optional.of(conditions);
  }

  private List<Condition> conditions(YamlSection s) {
    List<Condition> all = new ArrayList<>();
    names(s, "roles").map(Condition.AnyRole::new).ifPresent(all::add);
    names(s, "allRoles").map(Condition.AllRoles::new).ifPresent(all::add);
    names(s, "groups").map(Condition.AnyGroup::new).ifPresent(all::add);
    names(s, "allGroups").map(Condition.AllGroups::new).ifPresent(all::add);
    values(given(s, "user")).map(Condition.User::new).ifPresent(all::add);
    s.section("attributes").ifPresent(attributes -> attributes(s, attributes, all));
    given(s, "present").forEach(v -> v.name().map(Condition.Present::new).ifPresent(all::add));
    some(s, "addresses", YamlValue::cidr).map(list -> new Condition.Client(List.copyOf(list))).ifPresent(all::add);
    s.section("time").ifPresent(time -> all.addAll(new TimeYaml(time).read()));
    Set<String> methods = MethodsYaml.read(s, "methods");
    if (!methods.isEmpty()) {
      all.add(new Condition.Methods(methods));
    }
    login(s).ifPresent(all::add);
    s.value("when").flatMap(this::when).ifPresent(all::add);
    return all;
  }

  private void attributes(YamlSection rule, YamlSection attributes, List<Condition> all) {
    if (attributes.isEmpty()) {
      rule.problem("attributes", "names no attribute", "write name and values, like {department: [hr, finance]}");
    }
    for (String name : attributes.names()) {
      values(given(attributes, name)).map(values -> new Condition.Attribute(name, values)).ifPresent(all::add);
    }
  }

  /** Reads the values; reports an empty list, so that it is not taken for the absence of a condition. */
  private static List<YamlValue> given(YamlSection s, String key) {
    List<YamlValue> values = s.values(key);
    if (s.has(key) && values.isEmpty()) {
      s.problem(key, "is an empty list, which nobody meets", "name one or more, or remove the key");
    }
    return values;
  }

  private static Optional<Set<String>> names(YamlSection s, String key) {
    return some(s, key, YamlValue::string);
  }

  private static <T> Optional<Set<T>> some(YamlSection s, String key, Function<YamlValue, Optional<T>> parser) {
    Set<T> read = new LinkedHashSet<>();
    given(s, key).forEach(value -> parser.apply(value).ifPresent(read::add));
    return read.isEmpty() ? Optional.empty() : Optional.of(Collections.unmodifiableSet(read));
  }

  private Optional<Values> values(List<YamlValue> values) {
    Set<String> fixed = new LinkedHashSet<>();
    Set<String> named = new LinkedHashSet<>();
    for (YamlValue value : values) {
      Matcher variable = VARIABLE.matcher(value.text());
      if (!variable.matches()) {
        value.string().ifPresent(fixed::add);
      } else if (variables.contains(variable.group(1))) {
        named.add(variable.group(1));
      } else {
        value.wrong(
            value.shown() + " is not a variable of any route's path", "give a route a path with that segment");
      }
    }
    return fixed.isEmpty() && named.isEmpty()
        ? Optional.empty()
        : Optional.of(new Values(Collections.unmodifiableSet(fixed), Collections.unmodifiableSet(named)));
  }

  private static Optional<Condition> login(YamlSection s) {
    Set<String> refs = new LinkedHashSet<>();
    given(s, "contract").forEach(v -> v.choice(CONTRACTS).ifPresent(named -> refs.addAll(named.classRefs())));
    given(s, "authnContext").forEach(v -> v.entityId().ifPresent(refs::add));
    return refs.isEmpty() ? Optional.empty() : Optional.of(new Condition.Login(List.copyOf(refs)));
  }

  private Optional<Condition> when(YamlValue value) {
    if (!value.raw().equals(value.text())) {
      // A secret could be found out bit by bit through an expression, and messages about mistakes repeat it.
      return value.wrong("takes no variable of the environment", "write the text itself, which must not be a secret");
    }
    return switch (Expression.compile(value.text(), variables)) {
      case Expression.Result.Compiled(Expression expression) -> Optional.of(new Condition.When(expression));
      case Expression.Result.Wrong(List<Expression.Mistake> mistakes) -> {
        for (Expression.Mistake mistake : mistakes) {
          value.wrong(
              "line " + mistake.line() + ", column " + mistake.column() + " of the expression: " + mistake.message(),
              "write CEL that is true or false of person, request, path and now");
        }
        yield Optional.empty();
      }
    };
  }
}
