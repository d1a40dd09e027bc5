package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.expression.Expression;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import dev.gatehouse.common.realm.access.TimeYaml;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Key.Form;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads one rule: {@code permit:} or {@code deny:} with its conditions, or {@code everybody}. */
final class RuleYaml {

  /** The strength of a login, by the names in configurations: each stands for AuthnContextClassRefs, its own first. */
  enum NamedContract {
    /** A passkey that the person's device verified. */
    PASSKEY("http://schemas.openid.net/pape/policies/2007/06/phishing-resistant"),
    /** A token with a PIN. */
    TOKEN("https://gatehouse.dev/ac/token"),
    /** A second factor, or one of the two above. */
    MFA("urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken", "https://refeds.org/profile/mfa"),
    /** A client certificate. */
    CERTIFICATE("urn:oasis:names:tc:SAML:2.0:ac:classes:TLSClient", "urn:oasis:names:tc:SAML:2.0:ac:classes:X509"),
    /** A password, or something stronger. */
    PASSWORD(
        "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
        "urn:oasis:names:tc:SAML:2.0:ac:classes:Password");

    private final List<String> own;

    NamedContract(String... own) {
      this.own = List.of(own);
    }

    /** Returns the classes that satisfy the contract. */
    public List<String> classRefs() {
      List<String> refs = new ArrayList<>(own);
      if (this == MFA) {
        Stream.of(PASSKEY, TOKEN).forEach(stronger -> refs.addAll(stronger.own));
      }
      if (this == PASSWORD) {
        Stream.of(CERTIFICATE, MFA, PASSKEY, TOKEN).forEach(stronger -> refs.addAll(stronger.own));
      }
      return List.copyOf(refs);
    }
  }

  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z][A-Za-z0-9]{0,29})}");

  static final Type<String> METHOD = Type.matching("method", "^[A-Z][A-Z_-]{0,29}$", RuleYaml::method);

  private static final Section WHO = new Section();
  private static final Key<String> ROLES = WHO.list("roles", Type.TEXT, "e.g. [staff]", "The person has any of these roles.");
  private static final Key<String> ALL_ROLES = WHO.list("allRoles", Type.TEXT, "e.g. [staff, finance]",
      "The person has all of these roles.");
  private static final Key<String> GROUPS = WHO.list("groups", Type.TEXT, "e.g. [board]", "The person is in any of these groups.");
  private static final Key<String> ALL_GROUPS = WHO.list("allGroups", Type.TEXT, "e.g. [board, finance]",
      "The person is in all of these groups.");
  private static final Key<YamlValue> USER =
      WHO.list("user", Type.text("text", Optional::of), "e.g. \"{account}\"", "The user name; a variable of the path in braces.");
  private static final Key<YamlValue> ATTRIBUTES =
      WHO.lists(
          "attributes", Type.text("text", Optional::of), "e.g. {department: [hr, finance]}",
          "Each attribute has one of its values; a variable of the path in braces.");
  private static final Key<String> PRESENT = WHO.list("present", Type.NAME, "e.g. [mail]", "Attributes that the person must have.");
  private static final Key<Cidr> ADDRESSES = WHO.list("addresses", Type.CIDR, "e.g. [10.0.0.0/8]", "The client's address.");
  private static final Key<Void> TIME = WHO.section("time", TimeYaml.KEYS, "Days, hours and dates.");
  private static final Key<String> METHODS = WHO.list("methods", METHOD, "e.g. [GET, POST]", "The method of the request.");
  private static final Key<NamedContract> CONTRACT =
      WHO.list("contract", Type.choice(NamedContract.class), "e.g. mfa", "How the person logged in.");
  private static final Key<String> AUTHN_CONTEXT =
      WHO.list(
          "authnContext", Type.ENTITY_ID, "e.g. [https://refeds.org/profile/mfa]",
          "How the person logged in, by AuthnContextClassRefs (acr of OpenID).");
  private static final Key<YamlValue> WHEN =
      WHO.key(
          "when", Type.FILE, "e.g. request.path.endsWith(\"/report\")",
          "A condition in CEL about person, request, path and now.");

  static final Section KEYS = new Section();
  static final Key<String> NAME =
      KEYS.key("name", Type.NAME, "e.g. board", "The rule's name in decisions; `rule 1` and so on unless configured.");
  private static final Key<List<Condition>> PERMIT =
      rule("permit", "Permits if all conditions hold; `everybody` without conditions.");
  private static final Key<List<Condition>> DENY = rule("deny", "Denies if all conditions hold. A rule has one of the two.");

  private static Key<List<Condition>> rule(String name, String sentence) {
    Type<List<Condition>> everybody = Type.choice(Map.of("everybody", List.of()), Map.of());
    return KEYS.either(name, Set.of(Form.SCALAR, Form.SECTION), everybody, WHO, "e.g. {roles: staff}", sentence);
  }

  private final YamlSection section;
  private final Set<String> variables;

  /** @param variables that paths may have */
  RuleYaml(YamlSection section, Set<String> variables) {
    this.section = section;
    this.variables = variables;
  }

  Optional<Rule> read(String name) {
    boolean permits = section.has(PERMIT);
    boolean denies = section.has(DENY);
    Optional<List<Condition>> permitted = conditions(PERMIT);
    Optional<List<Condition>> denied = conditions(DENY);
    if (permits == denies) {
      section.problem(
          permits ? DENY : PERMIT, permits ? "stands beside permit" : "is missing, and deny too",
          "write one of them: a rule permits or denies");
      return Optional.empty();
    }
    return permits
        ? permitted.map(conditions -> new Rule(name, Effect.PERMIT, conditions))
        : denied.map(conditions -> new Rule(name, Effect.DENY, conditions));
  }

  /** Returns the conditions; empty, with a problem, if the rule would apply to everybody without saying so. */
  private Optional<List<Condition>> conditions(Key<List<Condition>> key) {
    if (section.isScalar(key)) {
      return section.find(key);
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
    some(s, ROLES).map(Condition.AnyRole::new).ifPresent(all::add);
    some(s, ALL_ROLES).map(Condition.AllRoles::new).ifPresent(all::add);
    some(s, GROUPS).map(Condition.AnyGroup::new).ifPresent(all::add);
    some(s, ALL_GROUPS).map(Condition.AllGroups::new).ifPresent(all::add);
    values(given(s, USER)).map(Condition.User::new).ifPresent(all::add);
    attributes(s, all);
    given(s, PRESENT).forEach(name -> all.add(new Condition.Present(name)));
    some(s, ADDRESSES).map(list -> new Condition.Client(List.copyOf(list))).ifPresent(all::add);
    s.section(TIME).ifPresent(time -> all.addAll(new TimeYaml(time).read()));
    Set<String> methods = methods(s, METHODS);
    if (!methods.isEmpty()) {
      all.add(new Condition.Methods(methods));
    }
    login(s).ifPresent(all::add);
    s.find(WHEN).flatMap(this::when).ifPresent(all::add);
    return all;
  }

  private void attributes(YamlSection rule, List<Condition> all) {
    if (rule.has(ATTRIBUTES) && rule.isEmpty(ATTRIBUTES)) {
      rule.problem(ATTRIBUTES, "names no attribute", "write name and values, like {department: [hr, finance]}");
    }
    rule.eachList(ATTRIBUTES, (attributes, name) ->
        values(given(attributes, name)).ifPresent(values -> all.add(new Condition.Attribute(name.name(), values))));
  }

  /** Reads the values; reports an empty list, so that it is not taken for the absence of a condition. */
  private static <T> List<T> given(YamlSection s, Key<T> key) {
    if (s.has(key) && s.isEmpty(key)) {
      s.problem(key, "is an empty list, which nobody can satisfy", "name one or more, or remove the key");
    }
    return s.all(key);
  }

  private static <T> Optional<Set<T>> some(YamlSection s, Key<T> key) {
    Set<T> read = new LinkedHashSet<>(given(s, key));
    return read.isEmpty() ? Optional.empty() : Optional.of(Collections.unmodifiableSet(read));
  }

  /** Returns methods (RFC 9110, section 9.1: they are case-sensitive, and all registered ones are capitals); empty if absent. */
  static Set<String> methods(YamlSection section, Key<String> key) {
    if (section.has(key) && section.isEmpty(key)) {
      section.problem(key, "names no method", "write one or more, like [GET, POST], or remove the key for all methods");
    }
    return Collections.unmodifiableSet(new LinkedHashSet<>(section.all(key)));
  }

  private static Optional<String> method(YamlValue value) {
    if (value.text().equals("TRACE") || value.text().equals("CONNECT")) {
      return value.wrong(value.shown() + " is never let through", "remove it");
    }
    return value.text().matches("[A-Z][A-Z_-]{0,29}")
        ? Optional.of(value.text())
        : value.wrong(value.shown() + " is not a method", "write it in capitals, like GET");
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
    given(s, CONTRACT).forEach(named -> refs.addAll(named.classRefs()));
    refs.addAll(given(s, AUTHN_CONTEXT));
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
