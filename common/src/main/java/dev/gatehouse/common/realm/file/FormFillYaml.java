package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Failure;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Post;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.FormFillConfig.Type;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Secret;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code formFill} of a route. */
final class FormFillYaml {

  private static final Map<String, Type> TYPES = Map.of("form", Type.FORM, "json", Type.JSON);
  private static final Pattern APP = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9._~!$&'()*+,=:@/%-]*");
  private static final Pattern TARGET = Pattern.compile("/[A-Za-z0-9._~!$&'()*+,=:@/%?-]*");

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
    Optional<YamlSection> section = route.section("formFill");
    if (section.isPresent() && (access instanceof Access.Public || bearer)) {
      route.problem("formFill", "needs people who are logged in", "remove it, or use access: protected without bearer");
    }
    return section.flatMap(this::config);
  }

  private Optional<FormFillConfig> config(YamlSection section) {
    String app = section.read("app", plain(routeName), FormFillYaml::app);
    Optional<FormRule> form = form(section.sectionOrEmpty("form"));
    Map<String, Source> fields = sources(section, "fields");
    if (section.map("fields").isEmpty() && !section.has("post")) {
      section.problem("fields", "names no field to fill", "write the form's fields, like {username: user, password: password}");
    }
    Optional<Post> post = section.section("post").flatMap(this::post);
    if (form.filter(rule -> rule.path().contains("*") && rule.action().isEmpty()).isPresent() && !section.has("post")) {
      // Otherwise anybody who can write one of those pages receives the secrets that are filled in.
      section.problem("form", "takes any of several pages for the login page, and sends secrets back to it",
          "write form.action: the one path to which the form is sent");
    }
    Failure failure = failure(section.sectionOrEmpty("failure"));
    Optional<String> landing = section.value("landing").flatMap(v -> matching(v, TARGET));
    int perSession = section.read("perSession", 20, v -> v.integer(1, 1000));
    return form.map(
        rule -> new FormFillConfig(app, rule, fields, post, failure, landing, perSession));
  }

  private static Optional<FormRule> form(YamlSection section) {
    Optional<String> path =
        section.required("path", v -> matching(v, PATH), "write the path of the page with the form, like /login");
    Set<Integer> status = statuses(section);
    Optional<String> id = section.value("id").flatMap(YamlValue::string);
    Optional<String> name = section.value("name").flatMap(YamlValue::string);
    Optional<String> action = section.value("action").flatMap(v -> matching(v, PATH));
    var fields = section.values("fields").stream().flatMap(v -> v.string().stream()).toList();
    return path.map(
        page -> new FormRule(page, status.isEmpty() ? Set.of(200) : status, id, name, action, fields));
  }

  private static Set<Integer> statuses(YamlSection section) {
    Set<Integer> status = new LinkedHashSet<>();
    section.values("status").forEach(v -> v.integer(200, 599).ifPresent(status::add));
    return Collections.unmodifiableSet(status);
  }

  private Optional<Post> post(YamlSection section) {
    Optional<String> url =
        section.required("url", v -> matching(v, TARGET), "write the path that the page's script calls, like /api/login");
    Type type = section.read("type", Type.JSON, v -> v.choice(TYPES));
    Map<String, Source> fields = sources(section, "fields");
    if (fields.isEmpty() && section.map("fields").isEmpty()) {
      section.problem("fields", "names no field to send", "write them, like {user: user, password: password}");
    }
    return url.map(path -> new Post(path, type, fields));
  }

  private static Failure failure(YamlSection section) {
    return new Failure(
        statuses(section),
        section.value("location").flatMap(YamlValue::string),
        section.value("text").flatMap(YamlValue::string));
  }

  private static Map<String, Source> sources(YamlSection section, String key) {
    Map<String, Source> sources = new LinkedHashMap<>();
    section.map(key).forEach((field, value) -> source(value).ifPresent(source -> sources.put(field, source)));
    return Collections.unmodifiableMap(sources);
  }

  private static Optional<Source> source(YamlValue value) {
    String text = value.text();
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

  private static Optional<String> app(YamlValue value) {
    return APP.matcher(value.text()).matches()
        ? Optional.of(value.text())
        : value.wrong(value.shown() + " is not an app's name", "use up to 64 letters, digits and . _ -");
  }

  /** Returns a name for an unnamed route, derived from its path without characters that addresses do not have. */
  private static String plain(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
    return plain.isEmpty() ? "app" : plain.substring(0, Math.min(64, plain.length()));
  }

  private static Optional<String> matching(YamlValue value, Pattern pattern) {
    String text = value.text();
    return pattern.matcher(text).matches() && !text.startsWith("//")
        ? Optional.of(text)
        : value.wrong(value.shown() + " is not a path of the app", "begin with one slash: no host, and nothing that is not plain");
  }
}
