package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.IdentityValue;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.InjectConfig.Algorithm;
import dev.gatehouse.common.realm.InjectConfig.Basic;
import dev.gatehouse.common.realm.InjectConfig.Convention;
import dev.gatehouse.common.realm.InjectConfig.Jwt;
import dev.gatehouse.common.realm.InjectConfig.Password;
import dev.gatehouse.common.realm.Secret;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads {@code inject} of a route: the names of headers only, or a section for each way of injection. */
final class InjectYaml {

  private static final Map<String, String> USUAL = Map.of("Remote-User", "user", "Remote-Groups", "groups");

  /** If one of these keys is present, the section is the long form. */
  private static final List<String> WAYS = List.of("headers", "query", "cookies", "basic", "jwt", "forwardAuth");

  /** Headers with a meaning between the gateway and the app, or the browser's own: an identity never replaces them. */
  private static final Set<String> RESERVED =
      Set.of(
          "host", "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "content-length",
          "expect", "proxy-connection", "authorization", "proxy-authorization", "proxy-authenticate", "cookie", "set-cookie",
          "forwarded", "via", "content-type", "content-encoding", "range", "accept-encoding");

  private static final Set<String> OWN_CLAIMS = Set.of("iss", "sub", "aud", "iat", "nbf", "exp", "jti");

  private final YamlSection route;
  private final Access access;
  private final boolean asked;

  /** @param asked whether only a foreign proxy asks, which can receive headers and nothing else */
  InjectYaml(YamlSection route, Access access, boolean asked) {
    this.route = route;
    this.access = access;
    this.asked = asked;
  }

  InjectConfig read() {
    Optional<YamlSection> given = route.section("inject");
    if (access instanceof Access.Public) {
      if (given.map(YamlSection::all).filter(all -> !all.isEmpty()).isPresent()) {
        route.problem("inject", "stands on a public route, which knows no identity",
            "remove it, or use access: protected");
      }
      return InjectConfig.NOTHING;
    }
    if (given.isEmpty()) {
      return InjectConfig.headers(USUAL);
    }
    YamlSection inject = given.get();
    return WAYS.stream().anyMatch(inject::has) ? ways(inject) : InjectConfig.headers(headers(inject.all()));
  }

  private InjectConfig ways(YamlSection inject) {
    if (asked) {
      Stream.of("query", "cookies", "basic")
          .filter(inject::has)
          .forEach(
              way ->
                  inject.problem(
                      way, "has no use on a route that another proxy serves: it is told headers alone",
                      "remove it, or use headers or jwt"));
    }
    Map<String, String> headers = headers(inject.map("headers"));
    Optional<Basic> basic = inject.section("basic").flatMap(this::basic);
    Optional<Jwt> jwt = inject.section("jwt").flatMap(section -> jwt(section, headers.keySet()));
    if (basic.isPresent() && jwt.filter(Jwt::isBearer).isPresent()) {
      inject.problem("basic", "and jwt are both in Authorization", "give the JWT a header of its own, or remove one");
    }
    return new InjectConfig(
        headers,
        named(inject.map("query"), "[A-Za-z0-9_.~-]{1,64}", "a name of letters, digits, hyphen, dot, underscore, tilde"),
        cookies(inject.map("cookies")),
        basic,
        jwt,
        conventions(inject));
  }

  private Map<String, String> headers(Map<String, YamlValue> given) {
    return unique(
        given,
        (header, value) -> {
          if (isHeader(header)) {
            return true;
          }
          value.wrong(header + " is not a header that can be injected", "write a name of letters, digits and hyphens");
          return false;
        });
  }

  private static boolean isHeader(String header) {
    String plain = header.toLowerCase(Locale.ROOT);
    return plain.matches("[a-z0-9-]+") && !RESERVED.contains(plain) && !plain.startsWith("x-forwarded-");
  }

  private Map<String, String> cookies(Map<String, YamlValue> given) {
    given.forEach(
        (name, value) -> {
          if (name.toLowerCase(Locale.ROOT).replaceFirst("^__(host|secure)-", "").startsWith("gh_")) {
            value.wrong(name + " would be one of Gatehouse's own cookies", "choose a name that does not begin with gh_");
          }
        });
    return named(given, "[A-Za-z0-9_.-]{1,64}", "a name of letters, digits, hyphen, dot and underscore");
  }

  private Map<String, String> named(Map<String, YamlValue> given, String pattern, String remedy) {
    return unique(
        given,
        (name, value) -> {
          if (name.matches(pattern)) {
            return true;
          }
          value.wrong(name + " is not a plain name", "write " + remedy);
          return false;
        });
  }

  private interface Fits {
    boolean test(String name, YamlValue value);
  }

  private Map<String, String> unique(Map<String, YamlValue> given, Fits fits) {
    Map<String, String> read = new LinkedHashMap<>();
    Set<String> seen = new LinkedHashSet<>();
    given.forEach(
        (name, value) -> {
          if (!fits.test(name, value)) {
            return;
          }
          if (!seen.add(name.toLowerCase(Locale.ROOT))) {
            value.wrong(name + " is there twice, in another case", "keep one of them");
          } else {
            identity(value).ifPresent(source -> read.put(name, source));
          }
        });
    return Collections.unmodifiableMap(read);
  }

  private Optional<String> identity(YamlValue value) {
    Optional<String> name = value.name();
    if (name.isPresent() && IdentityValue.parse(name.get()).isEmpty()) {
      return value.wrong(
          value.shown() + " is not known of a session or request", "write one of " + IdentityValue.reserved());
    }
    return name;
  }

  private Optional<Basic> basic(YamlSection basic) {
    Optional<String> user = basic.required("user", this::identity, "write user, or the name of an attribute");
    Optional<Password> shared = basic.value("password").flatMap(this::password).map(Password.Shared::new);
    Optional<Password> own = basic.value("passwordFrom").flatMap(this::identity).map(Password.Of::new);
    if (basic.has("password") == basic.has("passwordFrom")) {
      basic.problem("password", basic.has("password") ? "and passwordFrom are both there" : "is missing",
          "write password (the same for everybody) or passwordFrom (an attribute)");
      return Optional.empty();
    }
    return user.flatMap(name -> shared.or(() -> own).map(password -> new Basic(name, password)));
  }

  private Optional<Secret> password(YamlValue value) {
    return value.text().chars().anyMatch(Character::isISOControl)
        ? value.wrong("has a control character", "write a password of one line")
        : value.secret();
  }

  private Optional<Jwt> jwt(YamlSection jwt, Set<String> taken) {
    String header =
        jwt.read("header", "X-Identity-Token", value -> {
          boolean bearer = value.text().equalsIgnoreCase("Authorization");
          boolean free = taken.stream().noneMatch(value.text()::equalsIgnoreCase);
          return (bearer || isHeader(value.text())) && free
              ? Optional.of(value.text())
              : value.wrong(value.shown() + (free ? " is not a header that can be injected" : " is among headers already"),
                  "write Authorization (as a bearer token) or a free name of letters, digits and hyphens");
        });
    List<String> audience = jwt.values("audience").stream().flatMap(v -> v.string().stream()).distinct().toList();
    if (audience.isEmpty()) {
      jwt.problem("audience", "is missing", "write what the app calls itself, like https://app.example.org");
    }
    Map<String, YamlValue> claims = jwt.map("claims");
    claims.forEach(
        (name, value) -> {
          if (OWN_CLAIMS.contains(name)) {
            value.wrong(name + " is written by Gatehouse", "remove it: iss, sub, aud, iat, exp and jti are always there");
          }
        });
    Map<String, String> read = named(claims, "[A-Za-z0-9_.:/-]{1,128}", "a claim's name, without spaces and quotes");
    Duration life =
        jwt.read("life", Duration.ofSeconds(60), v -> v.duration(Duration.ofSeconds(10), Duration.ofMinutes(10)));
    Algorithm algorithm =
        jwt.read("algorithm", Algorithm.ES256, v -> v.choice(Map.of("RS256", Algorithm.RS256, "ES256", Algorithm.ES256)));
    return audience.isEmpty() ? Optional.empty() : Optional.of(new Jwt(header, audience, read, life, algorithm));
  }

  private static Set<Convention> conventions(YamlSection inject) {
    if (!inject.has("forwardAuth")) {
      return InjectConfig.USUAL;
    }
    Function<YamlValue, Optional<Convention>> one =
        value -> value.choice(Map.of("remote", Convention.REMOTE, "x-auth-request", Convention.X_AUTH_REQUEST));
    Set<Convention> read = new LinkedHashSet<>();
    inject.values("forwardAuth").forEach(value -> one.apply(value).ifPresent(read::add));
    return Collections.unmodifiableSet(read);
  }
}
