package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.PathTemplate;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.SpellingHints;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code policies} of a realm, and the policies that a route names or contains. */
final class PoliciesYaml {

  static final Section KEYS = new Section();
  private static final Key<String> NAME =
      KEYS.required("name", Type.NAME, "staff", "give it one that routes can refer to",
          "The name by which routes refer to the policy.");
  private static final Key<Void> RULES =
      KEYS.sections("rules", RuleYaml.KEYS,
          "The policy's rules; the first one that applies decides, and a request to which none applies is denied. Required.");

  private final Map<String, PolicyConfig> named = new LinkedHashMap<>();

  /** Includes policies that could not be read: those have a problem of their own, and a second one would mislead. */
  private final Set<String> written = new HashSet<>();

  /** @param routes read ahead for their path variables */
  PoliciesYaml(YamlSection realm, List<YamlSection> routes) {
    Set<String> variables = PathTemplate.variablesOfAll(routes, RouteKeys.PATH);
    Map<String, Integer> lines = new HashMap<>();
    for (YamlSection section : realm.sections(RealmYaml.POLICIES)) {
      Optional<String> name = section.find(NAME);
      List<Rule> rules = rules(section, RULES, variables);
      if (rules.isEmpty() && !section.has(RULES)) {
        section.problem(RULES, "is missing", "write a list of rules, like - permit: {roles: staff}");
      }
      name.ifPresent(
          n -> {
            written.add(n);
            Integer first = lines.putIfAbsent(n, section.line(NAME));
            if (first != null) {
              section.problem(NAME, "`" + n + "` is there already, on line " + first, "give it a name of its own");
            }
            named.putIfAbsent(n, new PolicyConfig(n, rules));
          });
    }
  }

  /** Returns the realm's policies. */
  List<PolicyConfig> named() {
    return List.copyOf(named.values());
  }

  /**
   * Returns the policies of one route: the named ones, then its own rules as a policy with its name.
   *
   * @param variables of the route's path
   * @param open whether the route is public
   */
  List<PolicyConfig> of(YamlSection route, String name, Set<String> variables, boolean open) {
    List<PolicyConfig> policies = new ArrayList<>();
    for (YamlValue value : route.all(RouteKeys.POLICIES)) {
      Optional<PolicyConfig> policy = Optional.ofNullable(named.get(value.text()));
      if (policy.isEmpty() && !written.contains(value.text())) {
        String nearest = SpellingHints.nearest(value.text(), written).map(n -> "did you mean " + n + "? ").orElse("");
        value.wrong(value.shown() + " is not a policy of this realm", nearest + "add it to policies of the realm");
      }
      policy.ifPresent(
          found -> {
            variables(found)
                .filter(variable -> !variables.contains(variable))
                .forEach(
                    variable ->
                        value.wrong(
                            value.shown() + " asks for the path variable " + variable,
                            "give the route's path a segment {" + variable + "}, or use another policy"));
            if (open && found.asksPerson()) {
              value.wrong(value.shown() + " asks who the person is, which a public route does not know",
                  "remove access: public, or use a policy of addresses, times and methods");
            }
            policies.add(found);
          });
    }
    List<Rule> own = rules(route, RouteKeys.RULES, variables);
    if (!own.isEmpty()) {
      PolicyConfig policy = new PolicyConfig(name, own);
      if (open && policy.asksPerson()) {
        route.problem(RouteKeys.RULES, "ask who the person is, which a public route does not know",
            "remove access: public, or ask for addresses, times and methods only");
      }
      policies.add(policy);
    }
    return List.copyOf(policies);
  }

  private static List<Rule> rules(YamlSection parent, Key<?> key, Set<String> variables) {
    List<YamlSection> sections = parent.sections(key);
    if (parent.has(key) && sections.isEmpty()) {
      parent.problem(key, "contains no rule: every request would be denied", "write rules like - permit: {roles: staff}");
    }
    List<Rule> rules = new ArrayList<>();
    Map<String, Integer> names = new HashMap<>();
    for (YamlSection section : sections) {
      String name = section.get(RuleYaml.NAME, "rule " + (rules.size() + 1));
      Integer first = names.putIfAbsent(name, section.line());
      if (first != null) {
        section.problem(NAME, "`" + name + "` is there already, on line " + first, "give the rule a name of its own");
      }
      new RuleYaml(section, variables).read(name).ifPresent(rules::add);
    }
    return rules;
  }

  private static Stream<String> variables(PolicyConfig policy) {
    return policy.rules().stream()
        .flatMap(rule -> rule.conditions().stream())
        .flatMap(condition -> condition.pathVariables().stream())
        .distinct();
  }
}
