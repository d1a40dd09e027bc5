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
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code inject} of a route: the names of headers only, or a section for each way of injection. */
final class InjectYaml {

  private static final Map<String, String> USUAL = Map.of("Remote-User", "user", "Remote-Groups", "groups");

  /** Headers with a meaning between the gateway and the app, or the browser's own: an identity never replaces them. */
  private static final Set<String> RESERVED =
      Set.of(
          "host", "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "content-length",
          "expect", "proxy-connection", "authorization", "proxy-authorization", "proxy-authenticate", "cookie", "set-cookie",
          "forwarded", "via", "content-type", "content-encoding", "range", "accept-encoding");

  private static final Set<String> OWN_CLAIMS = Set.of("iss", "sub", "aud", "iat", "nbf", "exp", "jti");

  private static final Section BASIC = new Section();
  private static final Key<String> USER =
      BASIC.required(
          "user", Type.text("identity", InjectYaml::identity), "user", "write user, or the name of an attribute", "The user name.");
  private static final Key<Secret> PASSWORD =
      BASIC.key("password", Type.secret(InjectYaml::password), "e.g. ${APP_PASSWORD}",
          "The password, the same for everybody.");
  private static final Key<String> PASSWORD_FROM =
      BASIC.key("passwordFrom", Type.text("identity", InjectYaml::identity), "e.g. pin",
          "The attribute with the password, in place of `password`.");

  private static final Section JWT = new Section();
  private static final Key<YamlValue> HEADER =
      JWT.key("header", Type.FILE, "X-Identity-Token", "The field that contains the JWT; `Authorization`: as a bearer token.");
  private static final Key<String> AUDIENCE =
      JWT.list("audience", Type.TEXT.reaching(Reach.NAME_ONLY), "e.g. https://app.example.org", "The audience of the JWT; required.");
  private static final Key<YamlValue> CLAIMS = JWT.map("claims", Type.FILE, "{}", "Further claims, e.g. `{email: mail}`.");
  private static final Key<Duration> LIFE = JWT.key("life", Type.duration("10s", "10m"), "60s", "Lifetime of the token.");
  private static final Key<Algorithm> ALGORITHM =
      JWT.key("algorithm", Type.choice(Algorithm::name, Algorithm.RS256, Algorithm.ES256), "ES256", "The signature algorithm.");

  static final Section KEYS = new Section();
  private static final Key<YamlValue> HEADERS = KEYS.map("headers", Type.FILE, "{}",
      "Headers with what they contain, e.g. `{X-User: user}`.");
  private static final Key<YamlValue> QUERY = KEYS.map("query", Type.FILE, "{}", "Parameters of the query, e.g. `{uid: user}`.");
  private static final Key<YamlValue> COOKIES = KEYS.map("cookies", Type.FILE, "{}", "Cookies, e.g. `{APPUSER: user}`.");
  private static final Key<Void> BASIC_KEY = KEYS.section("basic", BASIC, "Credentials for HTTP Basic.");
  private static final Key<Void> JWT_KEY = KEYS.section("jwt", JWT, "A JWT, whose keys are at `publicUrl/.gatehouse/jwks`.");
  private static final Key<Convention> FORWARD_AUTH =
      KEYS.list(
          "forwardAuth", Type.choice(c -> c.name().toLowerCase(Locale.ROOT).replace('_', '-'), Convention.values()),
          "[remote, x-auth-request]", "Conventions of header names that responses to other proxies follow, besides `headers`.");

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
    if (access instanceof Access.Public) {
      if (!route.isEmpty(RouteKeys.INJECT)) {
        route.problem(RouteKeys.INJECT, "is on a public route, which has no identity",
            "remove it, or use access: protected");
      }
      return InjectConfig.NOTHING;
    }
    if (!route.has(RouteKeys.INJECT)) {
      return InjectConfig.headers(USUAL);
    }
    return route.hasAnyOf(RouteKeys.INJECT)
        ? route.section(RouteKeys.INJECT).map(this::ways).orElseThrow()
        : InjectConfig.headers(headers(route.map(RouteKeys.INJECT)));
  }

  private InjectConfig ways(YamlSection inject) {
    if (asked) {
      Stream.of(QUERY, COOKIES, BASIC_KEY)
          .filter(inject::has)
          .forEach(
              way ->
                  inject.problem(
                      way, "has no effect on a route that another proxy serves: that proxy receives only headers",
                      "remove it, or use headers or jwt"));
    }
    Map<String, String> headers = headers(inject.map(HEADERS));
    Optional<Basic> basic = inject.section(BASIC_KEY).flatMap(InjectYaml::basic);
    Optional<Jwt> jwt = inject.section(JWT_KEY).flatMap(section -> jwt(section, headers.keySet()));
    if (basic.isPresent() && jwt.filter(Jwt::isBearer).isPresent()) {
      inject.problem(BASIC_KEY, "and jwt are both in Authorization", "give the JWT a header of its own, or remove one");
    }
    return new InjectConfig(
        headers,
        named(inject.map(QUERY), "[A-Za-z0-9_.~-]{1,64}", "a name of letters, digits, hyphen, dot, underscore, tilde"),
        cookies(inject.map(COOKIES)),
        basic,
        jwt,
        Collections.unmodifiableSet(new LinkedHashSet<>(inject.all(FORWARD_AUTH))));
  }

  private static Map<String, String> headers(Map<String, YamlValue> given) {
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

  private static Map<String, String> cookies(Map<String, YamlValue> given) {
    given.forEach(
        (name, value) -> {
          if (name.toLowerCase(Locale.ROOT).replaceFirst("^__(host|secure)-", "").startsWith("gh_")) {
            value.wrong(name + " would be one of Gatehouse's own cookies", "choose a name that does not begin with gh_");
          }
        });
    return named(given, "[A-Za-z0-9_.-]{1,64}", "a name of letters, digits, hyphen, dot and underscore");
  }

  private static Map<String, String> named(Map<String, YamlValue> given, String pattern, String remedy) {
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

  private static Map<String, String> unique(Map<String, YamlValue> given, Fits fits) {
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

  private static Optional<String> identity(YamlValue value) {
    Optional<String> name = value.name();
    if (name.isPresent() && IdentityValue.parse(name.get()).isEmpty()) {
      return value.wrong(
          value.shown() + " is not known of a session or request", "write one of " + IdentityValue.reserved());
    }
    return name;
  }

  private static Optional<Basic> basic(YamlSection basic) {
    Optional<String> user = basic.find(USER);
    Optional<Password> shared = basic.find(PASSWORD).map(Password.Shared::new);
    Optional<Password> own = basic.find(PASSWORD_FROM).map(Password.Of::new);
    if (basic.has(PASSWORD) == basic.has(PASSWORD_FROM)) {
      basic.problem(PASSWORD, basic.has(PASSWORD) ? "and passwordFrom are both there" : "is missing",
          "write password (the same for everybody) or passwordFrom (an attribute)");
      return Optional.empty();
    }
    return user.flatMap(name -> shared.or(() -> own).map(password -> new Basic(name, password)));
  }

  private static Optional<Secret> password(YamlValue value) {
    return value.text().chars().anyMatch(Character::isISOControl)
        ? value.wrong("has a control character", "write a password of one line")
        : value.secret();
  }

  private static Optional<Jwt> jwt(YamlSection jwt, Set<String> taken) {
    YamlValue named = jwt.get(HEADER);
    String header = named.text();
    boolean free = taken.stream().noneMatch(header::equalsIgnoreCase);
    if (!free || !header.equalsIgnoreCase("Authorization") && !isHeader(header)) {
      named.wrong(
          named.shown() + (free ? " is not a header that can be injected" : " is among headers already"),
          "write Authorization (as a bearer token) or a free name of letters, digits and hyphens");
    }
    List<String> audience = jwt.all(AUDIENCE).stream().distinct().toList();
    if (audience.isEmpty()) {
      jwt.problem(AUDIENCE, "is missing", "write the identifier of the app, like https://app.example.org");
    }
    Map<String, YamlValue> claims = jwt.map(CLAIMS);
    claims.forEach(
        (name, value) -> {
          if (OWN_CLAIMS.contains(name)) {
            value.wrong(name + " is written by Gatehouse", "remove it: iss, sub, aud, iat, exp and jti are always there");
          }
        });
    Map<String, String> read = named(claims, "[A-Za-z0-9_.:/-]{1,128}", "a claim's name, without spaces and quotes");
    Jwt config = new Jwt(header, audience, read, jwt.get(LIFE), jwt.get(ALGORITHM));
    return audience.isEmpty() ? Optional.empty() : Optional.of(config);
  }
}
