package dev.gatehouse.common.realm.access;

import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.RadiusConfig;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.Access;
import dev.gatehouse.common.realm.TokenLogin.Limit;
import dev.gatehouse.common.realm.TokenLogin.People;
import dev.gatehouse.common.realm.otp.VisitorsYaml;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code otp} of a realm, once. */
public final class OtpYaml {

  private static final Section PEOPLE = new Section();
  private static final Key<String> BASE =
      PEOPLE.key("base", Type.DN, "e.g. ou=staff,dc=example,dc=org", "The entry below which they are: `directory.base`, or one below it.");
  private static final Key<String> FILTER =
      PEOPLE.key(
          "filter", Type.string("LDAP filter", v -> v.filter()), "e.g. (employeeType=staff)",
          "What they match, beside `directory.filter` without its name; everybody unless configured.");
  private static final Key<String> DISPLAY_NAME =
      PEOPLE.key("displayName", Type.LDAP_ATTRIBUTE, "cn", "The attribute with the name that help desks see.");
  private static final Key<String> MAIL = PEOPLE.key("mail", Type.LDAP_ATTRIBUTE, "mail", "The attribute with the mail address.");
  private static final Key<String> GROUPS =
      PEOPLE.key(
          "groups", Type.LDAP_ATTRIBUTE, "e.g. memberOf",
          "The attribute with the DNs of a person's groups, for help desks; not read unless configured. `otp.access` asks the directory itself.");
  private static final Key<Duration> EVERY =
      PEOPLE.key("every", Type.duration("5m", "7d"), "e.g. 1h", "How often the register follows the directory by itself; never unless configured.");
  private static final Key<Limit> MAY_DISABLE =
      PEOPLE.key(
          "mayDisable", Type.text("number, or share like 5%", OtpYaml::limit), "5%",
          "How many people may be disabled within a day because the directory does not have them any more. A synchronisation that would "
              + "disable more changes nothing.");

  private static final Section ACCESS = new Section();
  private static final Key<String> OF_RADIUS =
      ACCESS.list("radius", Type.NAME, "[]", "Names of `radius.clients` that the rule is about.");
  private static final Key<String> OF_CLIENTS =
      ACCESS.list("clients", Type.NAME, "[]", "IDs of `clients` with `passcodes` that the rule is about.");
  private static final Key<String> OF_GROUPS =
      ACCESS.list("groups", Type.NAME, "[]", "People in one of these groups may come in there; anybody unless configured.");
  private static final Key<Void> TIME = ACCESS.section("time", TimeYaml.KEYS, "When; at any time unless configured.");

  public static final Section KEYS = new Section();
  private static final Key<Void> REGISTER =
      KEYS.section("people", PEOPLE, "The register of people who may have tokens, read from the directory; none unless configured, `{}` for the defaults.");
  private static final Key<Void> RULES =
      KEYS.sections(
          "access", ACCESS,
          "Who may come in at which RADIUS clients and agents, and when. An agent that is in no rule takes everybody; at others, one of its "
              + "rules has to fit.");
  private static final Key<Duration> DESK_EXPIRY =
      KEYS.key("deskExpiry", Type.duration("1d", "3650d"), "90d", "How far ahead a help desk may set the end of a token; operators are not limited.");

  private static final Key<Void> VISITORS =
      KEYS.section("visitors", VisitorsYaml.KEYS, "Other realms of one-time passwords that are trusted, by certificates: their people may come, and ours may visit them.");

  private record Rule(YamlSection section, List<String> radius, List<String> clients, Access access) {}

  private final YamlSection section;
  private final Optional<YamlSection> peopleSection;
  private final Optional<People> people;
  private final List<Rule> rules = new ArrayList<>();
  private final Duration deskExpiry;

  public OtpYaml(YamlSection section) {
    this.section = section;
    this.peopleSection = section.section(REGISTER);
    this.people = peopleSection.map(OtpYaml::people);
    section.sections(RULES).forEach(rule -> rules.add(rule(rule)));
    this.deskExpiry = section.get(DESK_EXPIRY);
  }

  private static People people(YamlSection people) {
    return new People(
        people.find(BASE), people.find(FILTER), people.get(DISPLAY_NAME), people.get(MAIL), people.find(GROUPS), people.find(EVERY),
        people.get(MAY_DISABLE));
  }

  private static Rule rule(YamlSection rule) {
    List<String> radius = rule.all(OF_RADIUS);
    List<String> clients = rule.all(OF_CLIENTS);
    Set<String> agents = new HashSet<>();
    radius.forEach(name -> agents.add("radius:" + name));
    clients.forEach(id -> agents.add("agent:" + id));
    if (!rule.has(OF_RADIUS) && !rule.has(OF_CLIENTS)) {
      rule.problem(OF_RADIUS, "is missing, and clients too: the rule is about no agent", "name radius.clients, or clients with passcodes");
    }
    if (!rule.has(OF_GROUPS) && !rule.has(TIME)) {
      rule.problem(OF_GROUPS, "is missing, and time too: the rule restricts nobody", "write groups, time or both, or remove the rule");
    }
    return new Rule(
        rule, radius, clients,
        new Access(
            Set.copyOf(agents), Set.copyOf(rule.all(OF_GROUPS)),
            rule.section(TIME).map(time -> new TimeYaml(time).read()).orElseGet(List::of)));
  }

  private static Optional<Limit> limit(YamlValue value) {
    return Limit.parse(value.text())
        .<Optional<Limit>>map(Optional::of)
        .orElseGet(() -> value.wrong(value.shown() + " is no number of people and no share of them", "write a number like 20, or a share like 5%"));
  }

  /** Returns the rules of tokens with what this section adds. */
  public TokenLogin addTo(TokenLogin login) {
    return new TokenLogin(
        login.pin(), login.nextCodeAfter(), login.lockAfter(), login.lockFor(), people, rules.stream().map(Rule::access).toList(), deskExpiry);
  }

  /** Returns the realms that are trusted. @param hasIdp whether the realm has an identity provider, though it may have problems */
  public Optional<OtpTrusts> visitors(boolean hasIdp, Optional<IdpConfig> idp) {
    return section.section(VISITORS).flatMap(visitors -> VisitorsYaml.read(visitors, hasIdp, idp));
  }

  /** Checks what the section names elsewhere: a rule about an agent of another name would protect nothing. */
  public void check(Optional<IdpConfig> idp, Optional<RadiusConfig> radius, List<ClientConfig> clients, Optional<DirectoryConfig> directory) {
    if (!section.has(VISITORS) && idp.flatMap(i -> i.contracts().token()).isEmpty()) {
      section.problem(
          section.has(REGISTER) ? REGISTER : RULES, "is about tokens, which the realm does not take", "add idp.contracts.token, `{}` for the defaults");
    }
    Set<String> ofRadius =
        radius.stream().flatMap(config -> config.clients().stream()).map(RadiusConfig.Client::name).collect(Collectors.toSet());
    Set<String> ofClients =
        clients.stream().filter(client -> client.permissions().passcodes().isPresent()).map(ClientConfig::clientId).collect(Collectors.toSet());
    for (Rule rule : rules) {
      known(rule.section(), OF_RADIUS, rule.radius(), ofRadius, "radius.clients");
      known(rule.section(), OF_CLIENTS, rule.clients(), ofClients, "clients with passcodes");
    }
    directory.ifPresent(config -> peopleSection.ifPresent(at -> below(at, config.people().baseDn())));
  }

  private static void known(YamlSection rule, Key<String> key, List<String> names, Set<String> known, String place) {
    names.stream()
        .filter(name -> !known.contains(name))
        .forEach(
            name ->
                rule.problem(
                    key, "`" + name + "` is not one of " + place,
                    known.isEmpty() ? "there are none: add it there, or remove it here" : "write one of " + known.stream().sorted().collect(Collectors.joining(", "))));
  }

  /** Whoever is outside of the directory's base cannot log in, and would have a token that opens nothing. */
  private void below(YamlSection at, String directoryBase) {
    people
        .flatMap(People::base)
        .filter(base -> !YamlValue.isDnBelow(base, directoryBase))
        .ifPresent(base -> at.problem(BASE, "is not below directory.base", "write " + directoryBase + ", or an entry below it"));
  }
}
