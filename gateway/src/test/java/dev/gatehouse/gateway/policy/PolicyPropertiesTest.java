package dev.gatehouse.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.expression.Expression;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.net.InetAddress;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The compiled decision is that of the sentences in the documentation, evaluated naively here: every rule is looked at, each condition
 * by itself, for random policies, people and requests.
 */
final class PolicyPropertiesTest {

  private static final List<String> NAMES = List.of("a", "b", "c", "d");
  private static final List<String> CONTEXTS = List.of("urn:pw", "urn:cert", "urn:mfa");
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

  /** With what each means, said in Java. */
  private static final Map<String, String> EXPRESSIONS =
      Map.of(
          "'a' in person.roles", "role a",
          "request.method == 'POST'", "post",
          "person.attributes['k'].exists(v, v == path.x)", "k has x",
          "person.attributes['k'][0] == 'a'", "k begins with a",
          "size(person.groups) > 1 && now.getFullYear() >= 2026", "groups, and late");

  private enum Outcome {
    PERMIT,
    STEP_UP,
    POLICY_DENIED,
    EXPRESSION_FAILED,
    NO_RULE_PERMITS
  }

  private record Person(
      String user, List<String> roles, List<String> groups, Map<String, List<String>> attributes, Optional<String> context) {
    Person with(String classRef) {
      return new Person(user, roles, groups, attributes, Optional.of(classRef));
    }
  }

  private static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 20261122})
  void theCompiledDecisionIsTheNaiveOne(long seed) {
    Random random = new Random(seed);
    Map<Outcome, Integer> seen = new HashMap<>();
    for (int i = 0; i < 700; i++) {
      List<PolicyConfig> policies = policies(random);
      List<String> needed = random.nextInt(4) == 0 ? some(random, CONTEXTS) : List.of();
      AccessRule rule = AccessRule.of("demo", route(policies, needed));
      for (int j = 0; j < 4; j++) {
        Person person = person(random);
        PartialDecision partial = rule.partialDecision(new Subject.Person(session(person)));
        for (int k = 0; k < 3; k++) {
          TestFacts facts = facts(random);
          String shown = "seed " + seed + ": " + policies + " needed " + needed + " " + person + " " + facts;
          Outcome expected = naive(policies, needed, person, facts);
          Decision decision = partial.decide(facts);
          assertThat(outcome(decision)).as(shown).isEqualTo(expected);
          if (decision instanceof Decision.Challenge(AuthnRequirement.StepUp(List<String> refs), Trace trace)) {
            assertThat(refs).as(shown).allMatch(ref -> naive(policies, needed, person.with(ref), facts) == Outcome.PERMIT);
          }
          seen.merge(expected, 1, Integer::sum);
        }
      }
    }
    assertThat(seen).as("seed " + seed).containsKeys(Outcome.values());
    assertThat(seen.values()).as("seed " + seed + " " + seen).allMatch(count -> count > 50);
  }

  // --- the sentences: deny over permit, a failure denies, absence denies, a stronger login only where it helps ---

  private static Outcome naive(List<PolicyConfig> policies, List<String> needed, Person person, TestFacts facts) {
    Outcome now = verdict(policies, person, facts);
    boolean strong = needed.isEmpty() || person.context().filter(needed::contains).isPresent();
    if (strong && now == Outcome.PERMIT) {
      return Outcome.PERMIT;
    }
    Collection<String> wanted =
        !needed.isEmpty()
            ? needed
            : policies.stream()
                .flatMap(p -> p.rules().stream())
                .filter(r -> r.effect() == Effect.PERMIT)
                .flatMap(r -> r.conditions().stream())
                .flatMap(c -> c instanceof Condition.Login(List<String> refs) ? refs.stream() : java.util.stream.Stream.of())
                .collect(Collectors.toSet());
    boolean helps = wanted.stream().anyMatch(ref -> verdict(policies, person.with(ref), facts) == Outcome.PERMIT);
    return helps ? Outcome.STEP_UP : now == Outcome.PERMIT ? Outcome.NO_RULE_PERMITS : now;
  }

  private static Outcome verdict(List<PolicyConfig> policies, Person person, TestFacts facts) {
    boolean permits = false;
    boolean denies = false;
    boolean fails = false;
    for (PolicyConfig policy : policies) {
      for (Rule rule : policy.rules()) {
        try {
          boolean holds = holds(rule, person, facts);
          permits |= holds && rule.effect() == Effect.PERMIT;
          denies |= holds && rule.effect() == Effect.DENY;
        } catch (Failed e) {
          fails = true;
        }
      }
    }
    return denies
        ? Outcome.POLICY_DENIED
        : fails ? Outcome.EXPRESSION_FAILED : permits ? Outcome.PERMIT : Outcome.NO_RULE_PERMITS;
  }

  private static boolean holds(Rule rule, Person person, TestFacts facts) {
    boolean plain =
        rule.conditions().stream().filter(c -> !(c instanceof Condition.When)).allMatch(c -> holds(c, person, facts));
    return plain && rule.conditions().stream().filter(Condition.When.class::isInstance).allMatch(c -> holds(c, person, facts));
  }

  private static boolean holds(Condition condition, Person person, TestFacts facts) {
    return switch (condition) {
      case Condition.AnyRole(Set<String> names) -> person.roles().stream().anyMatch(names::contains);
      case Condition.AllRoles(Set<String> names) -> names.stream().allMatch(person.roles()::contains);
      case Condition.AnyGroup(Set<String> names) -> person.groups().stream().anyMatch(names::contains);
      case Condition.AllGroups(Set<String> names) -> names.stream().allMatch(person.groups()::contains);
      case Condition.User(Values values) -> meant(values, facts).contains(person.user());
      case Condition.Attribute(String name, Values values) ->
          person.attributes().getOrDefault(name, List.of()).stream().anyMatch(meant(values, facts)::contains);
      case Condition.Present(String name) -> person.attributes().containsKey(name);
      case Condition.Login(List<String> refs) -> person.context().filter(refs::contains).isPresent();
      case Condition.Client(List<Cidr> blocks) ->
          facts.client().getHostAddress().startsWith("10.") == blocks.getFirst().network().getHostAddress().startsWith("10.");
      case Condition.Weekly(var days, var from, var to, var zone) -> {
        var there = facts.now().atZone(zone);
        int minute = there.getHour() * 60 + there.getMinute();
        int begin = from.getHour() * 60;
        int end = to.getHour() * 60;
        boolean over = end <= begin;
        boolean today = days.contains(there.getDayOfWeek()) && minute >= begin && (over || minute < end);
        boolean yesterday = over && days.contains(there.minusDays(1).getDayOfWeek()) && minute < end;
        yield today || yesterday;
      }
      case Condition.Dates(var from, var to) ->
          from.map(f -> !facts.now().isBefore(f)).orElse(true) && to.map(t -> facts.now().isBefore(t)).orElse(true);
      case Condition.Methods(Set<String> names) ->
          names.contains(facts.method()) || facts.method().equals("HEAD") && names.contains("GET");
      case Condition.When(Expression expression) -> means(expression.text(), person, facts);
    };
  }

  private static boolean means(String text, Person person, TestFacts facts) {
    Optional<List<String>> k = Optional.ofNullable(person.attributes().get("k"));
    return switch (String.valueOf(EXPRESSIONS.get(text))) {
      case "role a" -> person.roles().contains("a");
      case "post" -> facts.method().equals("POST");
      case "k has x" -> k.orElseThrow(Failed::new).contains(facts.variables().get("x"));
      case "k begins with a" -> k.orElseThrow(Failed::new).getFirst().equals("a");
      case "groups, and late" ->
          person.groups().size() > 1 && facts.now().atZone(ZoneOffset.UTC).getYear() >= 2026;
      default -> throw new IllegalStateException(text);
    };
  }

  private static Set<String> meant(Values values, TestFacts facts) {
    Set<String> all = new TreeSet<>(values.fixed());
    values.variables().forEach(variable -> all.add(String.valueOf(facts.variables().get(variable))));
    return all;
  }

  // --- random policies, people and requests ---

  private static List<PolicyConfig> policies(Random random) {
    List<PolicyConfig> policies = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      List<Rule> rules = new ArrayList<>();
      for (int j = 0; j <= random.nextInt(4); j++) {
        List<Condition> conditions = new ArrayList<>();
        for (int k = random.nextInt(4); k > 0; k--) {
          Condition next = condition(random);
          // A rule has one expression at most.
          if (!(next instanceof Condition.When) || conditions.stream().noneMatch(Condition.When.class::isInstance)) {
            conditions.add(next);
          }
        }
        rules.add(new Rule("r" + j, random.nextInt(4) == 0 ? Effect.DENY : Effect.PERMIT, conditions));
      }
      policies.add(new PolicyConfig("p" + i, rules));
    }
    return policies;
  }

  private static Condition condition(Random random) {
    return switch (random.nextInt(14)) {
      case 0 -> new Condition.AnyRole(Set.copyOf(some(random, NAMES)));
      case 1 -> new Condition.AllRoles(Set.copyOf(some(random, NAMES)));
      case 2 -> new Condition.AnyGroup(Set.copyOf(some(random, NAMES)));
      case 3 -> new Condition.AllGroups(Set.copyOf(some(random, NAMES)));
      case 4 -> new Condition.User(values(random));
      case 5 -> new Condition.Attribute("k", values(random));
      case 6 -> new Condition.Present("k");
      case 7, 8 -> new Condition.Login(some(random, CONTEXTS));
      case 9 -> new Condition.Client(List.of(new Cidr(InetAddress.ofLiteral(random.nextBoolean() ? "10.0.0.0" : "192.0.0.0"), 8)));
      case 10 -> new Condition.Weekly(
          EnumSet.copyOf(some(random, List.of(DayOfWeek.values()))),
          LocalTime.of(random.nextInt(24), 0),
          LocalTime.of(random.nextInt(24), 0),
          ZONE);
      case 11 -> new Condition.Dates(Optional.of(instant(random)), random.nextBoolean() ? Optional.of(instant(random)) : Optional.empty());
      case 12 -> new Condition.Methods(Set.copyOf(some(random, List.of("GET", "HEAD", "POST"))));
      default -> {
        String text = EXPRESSIONS.keySet().stream().sorted().toList().get(random.nextInt(EXPRESSIONS.size()));
        if (!(Expression.compile(text, Set.of("x")) instanceof Expression.Result.Compiled(Expression expression))) {
          throw new IllegalStateException(text);
        }
        yield new Condition.When(expression);
      }
    };
  }

  private static Values values(Random random) {
    return random.nextInt(3) == 0 ? new Values(Set.of(), Set.of("x")) : new Values(Set.copyOf(some(random, NAMES)), Set.of());
  }

  private static <T> List<T> some(Random random, List<T> all) {
    List<T> some = new ArrayList<>(all);
    java.util.Collections.shuffle(some, random);
    return List.copyOf(some.subList(0, 1 + random.nextInt(2)));
  }

  private static Instant instant(Random random) {
    return Instant.parse("2025-12-20T00:00:00Z").plusSeconds(random.nextInt(40 * 86_400));
  }

  private static Person person(Random random) {
    Map<String, List<String>> attributes = random.nextInt(3) == 0 ? Map.of() : Map.of("k", some(random, NAMES));
    return new Person(
        NAMES.get(random.nextInt(4)), some(random, NAMES), random.nextBoolean() ? List.of() : some(random, NAMES), attributes,
        random.nextInt(4) == 0 ? Optional.empty() : Optional.of(CONTEXTS.get(random.nextInt(3))));
  }

  private static TestFacts facts(Random random) {
    return new TestFacts(
        List.of("GET", "HEAD", "POST").get(random.nextInt(3)), "app.example", "/" + NAMES.get(random.nextInt(4)),
        InetAddress.ofLiteral(random.nextBoolean() ? "10.1.2.3" : "192.1.2.3"), instant(random),
        Map.of("x", NAMES.get(random.nextInt(4))));
  }

  private static RouteConfig route(List<PolicyConfig> policies, List<String> needed) {
    return new RouteConfig(
        "r", new GatewayConfig.Match(Set.of("app.example"), "/{x}"), URI.create("http://127.0.0.1:9000"),
        new Access.Protected(), Map.of(), GatewayConfig.SignOn.form(false, Optional.empty(), needed, Optional.empty()))
        .withPolicies(policies);
  }

  static AppSession session(Person person) {
    return new AppSession(
        new SessionId("s"), "demo", new Lifetime(Instant.EPOCH, Instant.MAX, Instant.MAX),
        new LocalAccount(new PersonId("p"), person.user(), person.roles(), person.groups(), person.attributes()),
        new AppSession.Login("https://idp.example", NameId.of("n", NameId.UNSPECIFIED), Optional.empty(), person.context(), Instant.EPOCH));
  }

  private static Outcome outcome(Decision decision) {
    return switch (decision) {
      case Decision.Permit permit -> Outcome.PERMIT;
      case Decision.Challenge challenge -> Outcome.STEP_UP;
      case Decision.Deny(Set<Reason> reasons, Trace trace) -> Outcome.valueOf(reasons.iterator().next().name());
    };
  }
}
