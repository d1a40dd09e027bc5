package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Failure;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Post;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code formFill} of a route. */
final class FormFillYaml {

  private static final Pattern APP = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Type<String> PATH_TYPE = path("/[A-Za-z0-9._~!$&'()*+,=:@/%-]*");
  private static final Type<String> TARGET = path("/[A-Za-z0-9._~!$&'()*+,=:@/%?-]*");
  private static final Type<Source> SOURCE = Type.source(FormFillYaml::source);

  private static final Section FORM = new Section();
  private static final Key<String> PATH =
      FORM.required(
          "path", PATH_TYPE, "/login", "write the path of the page with the form, like /login",
          "The path of the page with the form; `*` stands for any characters.");
  private static final Key<Integer> STATUS = FORM.list("status", Type.integer(200, 599), "[200]",
      "The status of the page with the form.");
  private static final Key<String> ID = FORM.key("id", Type.TEXT, "e.g. login", "The form's id.");
  private static final Key<String> NAME = FORM.key("name", Type.TEXT, "e.g. login", "The form's name.");
  private static final Key<String> ACTION =
      FORM.key("action", PATH_TYPE, "e.g. /login",
          "The path to which the form is sent; the page's own path unless configured. Required if `path` contains `*`.");
  private static final Key<String> FORM_FIELDS =
      FORM.list("fields", Type.TEXT, "[]", "Further fields that the form must have, e.g. `[csrf]`.");

  private static final Section POST = new Section();
  private static final Key<String> URL =
      POST.required(
          "url", TARGET, "/api/login", "write the path that the page's script calls, like /api/login",
          "The path that the page's script calls.");
  private static final Key<FormFillConfig.Type> TYPE =
      POST.key("type", Type.choice(FormFillConfig.Type.class), "json", "The type of the body.");
  private static final Key<Source> POST_FIELDS =
      POST.map(
          "fields", SOURCE, "e.g. {u: user, p: \"secret:password\", t: \"control:csrf\"}",
          "Fields of the body; control:NAME is the value of the form's own control. Required.");

  private static final Section FAILURE = new Section();
  private static final Key<Integer> FAILURE_STATUS = FAILURE.list("status", Type.integer(200, 599), "[]",
      "Statuses of the response to a failed login.");
  private static final Key<String> LOCATION = FAILURE.key("location", Type.TEXT, "e.g. /login?error*",
      "The Location of the response to a failed login.");
  private static final Key<String> FAILURE_TEXT = FAILURE.key("text", Type.TEXT, "e.g. Wrong password",
      "A text in the page after a failed login.");

  static final Section KEYS = new Section();
  private static final Key<String> NAME_OF_APP =
      KEYS.key(
          "app",
          Type.matching("name", "[A-Za-z0-9][A-Za-z0-9._-]{0,63}", "is not an app's name", "use up to 64 letters, digits and . _ -"),
          "e.g. shop", "Name under which people store their secrets; default: the route's name.");
  private static final Key<Void> FORM_KEY = KEYS.section("form", FORM, "The login form. Required.");
  private static final Key<Source> FIELDS =
      KEYS.map(
          "fields", SOURCE, "e.g. {username: user, password: password}",
          "The fields to fill in: each with user, password (of the login), secret:NAME, literal:TEXT, an attribute, or "
              + "{secret: NAME} for a text that nobody may read. Required "
              + "without `post`.");
  private static final Key<Void> POST_KEY = KEYS.section("post", POST,
      "A POST that is sent in place of a form, for pages whose script logs in.");
  private static final Key<Void> FAILURE_KEY = KEYS.section("failure", FAILURE, "How a failed login is recognised.");
  private static final Key<String> SUCCESS_URL =
      KEYS.key("successUrl", TARGET, "e.g. /start", "Where people are sent afterwards; the requested page unless configured.");
  private static final Key<String> LANDING = KEYS.key("landing", TARGET, "e.g. /start", "The former name of `successUrl`.");
  private static final Key<Integer> PER_SESSION =
      KEYS.key("perSession", Type.integer(1, 1000), "20", "Maximum number of logins at the app for one session.");

  private final YamlSection route;
  private final String routeName;
  private final Access access;
  private final boolean bearer;

  /** @param routeName the route's name */
  FormFillYaml(YamlSection route, String routeName, Access access, boolean bearer) {
    this.route = route;
    this.routeName = routeName;
    this.access = access;
    this.bearer = bearer;
  }

  Optional<FormFillConfig> read() {
    Optional<YamlSection> section = route.section(RouteKeys.FORM_FILL);
    if (section.isPresent() && (access instanceof Access.Public || bearer)) {
      route.problem(RouteKeys.FORM_FILL, "needs people who are logged in", "remove it, or use access: protected without bearer");
    }
    return section.flatMap(this::config);
  }

  private Optional<FormFillConfig> config(YamlSection section) {
    String app = section.get(NAME_OF_APP, plain(routeName));
    Optional<FormRule> form = form(section.sectionOrEmpty(FORM_KEY));
    Map<String, Source> fields = Collections.unmodifiableMap(section.map(FIELDS));
    if (section.isEmpty(FIELDS) && !section.has(POST_KEY)) {
      section.problem(FIELDS, "names no field to fill", "write the form's fields, like {username: user, password: password}");
    }
    Optional<Post> post = section.section(POST_KEY).flatMap(FormFillYaml::post);
    if (form.filter(rule -> rule.path().contains("*") && rule.action().isEmpty()).isPresent() && !section.has(POST_KEY)) {
      // Otherwise anybody who can write one of those pages receives the secrets that are filled in.
      section.problem(FORM_KEY, "may match several pages, and secrets are sent back to the matching page",
          "write form.action: the one path to which the form is sent");
    }
    YamlSection failed = section.sectionOrEmpty(FAILURE_KEY);
    Failure failure = new Failure(Set.copyOf(failed.all(FAILURE_STATUS)), failed.find(LOCATION), failed.find(FAILURE_TEXT));
    Optional<String> successUrl = section.find(SUCCESS_URL).or(() -> section.find(LANDING));
    int perSession = section.get(PER_SESSION);
    return form.map(rule -> new FormFillConfig(app, rule, fields, post, failure, successUrl, perSession));
  }

  private static Optional<FormRule> form(YamlSection section) {
    Set<Integer> status = Set.copyOf(section.all(STATUS));
    FormRule rule =
        new FormRule(
            section.find(PATH).orElse(""), status.isEmpty() ? Set.of(200) : status, section.find(ID), section.find(NAME),
            section.find(ACTION), section.all(FORM_FIELDS));
    return rule.path().isEmpty() ? Optional.empty() : Optional.of(rule);
  }

  private static Optional<Post> post(YamlSection section) {
    Optional<String> url = section.find(URL);
    Map<String, Source> fields = Collections.unmodifiableMap(section.map(POST_FIELDS));
    if (section.isEmpty(POST_FIELDS)) {
      section.problem(POST_FIELDS, "names no field to send", "write them, like {user: user, password: password}");
    }
    FormFillConfig.Type type = section.get(TYPE);
    return url.map(path -> new Post(path, type, fields));
  }

  private static Optional<Source> source(YamlValue value) {
    String text = value.text();
    if (value.isNamedSecret()) {
      return Optional.of(new Source.Literal(new Secret(text)));
    }
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String rest = text.substring(colon + 1);
    return switch (kind) {
      case "user" -> Optional.of(new Source.User());
      case "password" -> Optional.of(new Source.Password());
      case "secret" -> stored(value, colon < 0 ? "" : rest);
      case "literal" -> Optional.of(new Source.Literal(new Secret(colon < 0 ? "" : rest)));
      case "control" -> Optional.of(new Source.Control(colon < 0 ? "" : rest));
      default -> value.name().map(Source.Attribute::new);
    };
  }

  private static Optional<Source> stored(YamlValue value, String name) {
    return APP.matcher(name).matches()
        ? Optional.of(new Source.Stored(name))
        : value.wrong(value.shown() + " names no secret", "write one like secret:password: letters, digits and . _ -");
  }

  /** Returns a name for an unnamed route, derived from its path without characters that addresses do not have. */
  private static String plain(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
    return plain.isEmpty() ? "app" : plain.substring(0, Math.min(64, plain.length()));
  }

  private static Type<String> path(String pattern) {
    return Type.matching(
        "path", "(?!//)" + pattern, "is not a path of the app", "begin with one slash: no host, and nothing that is not plain");
  }
}
