package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.ErrorPages;
import dev.gatehouse.common.realm.ResponseConfig;
import dev.gatehouse.common.realm.ResponseConfig.Maintenance;
import dev.gatehouse.common.realm.ResponseConfig.SecurityField;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code securityHeaders}, {@code errorPages} and {@code maintenance} of a route. */
final class ResponseYaml {

  /** The headers of {@code standard}: harmless for apps that neither load from other sites nor are framed there. */
  private static final Map<String, String> STANDARD =
      Map.of(
          "hsts", "max-age=31536000",
          "contentSecurityPolicy", "frame-ancestors 'self'; object-src 'none'; base-uri 'self'",
          "frameOptions", "SAMEORIGIN",
          "referrerPolicy", "strict-origin-when-cross-origin",
          "contentTypeOptions", "nosniff",
          "permissionsPolicy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");

  static final Section HEADERS = new Section();
  private static final Key<Boolean> PRESET =
      HEADERS.key("preset", Type.choice(on -> on ? "standard" : "none", true, false), "none",
          "The values of keys that are not given here.");

  /** The key of each field. */
  private static final Map<Key<String>, String> FIELDS = new LinkedHashMap<>();

  static {
    field("hsts", "Strict-Transport-Security", Type.string("text or `none`", ResponseYaml::hsts));
    field("contentSecurityPolicy", "Content-Security-Policy", Type.string("text or `none`", ResponseYaml::ascii));
    field("frameOptions", "X-Frame-Options", Type.choice(value -> value.toLowerCase(Locale.ROOT), "DENY", "SAMEORIGIN", "none"));
    field("referrerPolicy", "Referrer-Policy", Type.string("text or `none`", ResponseYaml::ascii));
    field("contentTypeOptions", "X-Content-Type-Options", Type.words("nosniff", "none"));
    field("permissionsPolicy", "Permissions-Policy", Type.string("text or `none`", ResponseYaml::ascii));
  }

  private static void field(String key, String name, Type<String> type) {
    FIELDS.put(HEADERS.key(key, type, "e.g. " + STANDARD.get(key), name + "; the example is `standard`."), name);
  }

  static final Section MAINTENANCE = new Section();
  private static final Key<Boolean> ON =
      MAINTENANCE.key("on", Type.BOOL, "true",
          "Whether maintenance is on; `false` keeps the other keys for `PUT /admin/v1/realms/REALM/maintenance?route=ROUTE`.");
  private static final Key<Instant> UNTIL =
      MAINTENANCE.key(
          "until", Type.string("time", ResponseYaml::instant), "e.g. 2026-12-24T06:00:00+01:00",
          "The time at which maintenance ends, for Retry-After.");
  private static final Key<String> PAGE =
      MAINTENANCE.key("page", Type.string("HTML file", ResponseYaml::html), "e.g. maintenance.html", "A page of your own.");
  private static final Key<Cidr> ALLOW =
      MAINTENANCE.list("allow", Type.CIDR, "[]", "Addresses that are let through, e.g. `[10.0.0.0/8]`.");
  private static final Key<String> ALLOW_ROLES =
      MAINTENANCE.list("allowRoles", Type.NAME, "[]", "Roles that are let through, e.g. `[admin]`.");

  private final YamlSection route;

  ResponseYaml(YamlSection route) {
    this.route = route;
  }

  ResponseConfig read() {
    return new ResponseConfig(
        securityFields(), errorPages(route, RouteKeys.ERROR_PAGES), route.section(RouteKeys.MAINTENANCE).map(ResponseYaml::maintenance));
  }

  private List<SecurityField> securityFields() {
    Map<String, String> chosen = new LinkedHashMap<>();
    if (!route.isMapping(RouteKeys.SECURITY_HEADERS)) {
      return route.get(RouteKeys.SECURITY_HEADERS) ? fields(STANDARD) : List.of();
    }
    YamlSection section = route.sectionOrEmpty(RouteKeys.SECURITY_HEADERS);
    boolean standard = section.get(PRESET);
    FIELDS.forEach(
        (key, name) -> {
          if (section.has(key)) {
            section.find(key).filter(value -> !value.equals("none")).ifPresent(value -> chosen.put(key.name(), value));
          } else if (standard) {
            chosen.put(key.name(), STANDARD.get(key.name()));
          }
        });
    return fields(chosen);
  }

  private static Optional<String> hsts(YamlValue value) {
    return value.text().matches("none|max-age=\\d{1,10}(; ?includeSubDomains)?(; ?preload)?")
        ? Optional.of(value.text())
        : value.wrong(
            value.shown() + " is no Strict-Transport-Security", "write one like max-age=31536000; includeSubDomains");
  }

  private static Optional<String> ascii(YamlValue value) {
    return value.text().chars().allMatch(c -> c >= 0x20 && c < 0x7f)
        ? Optional.of(value.text())
        : value.wrong("has characters that no header may have", "write plain ASCII on one line");
  }

  private static List<SecurityField> fields(Map<String, String> chosen) {
    List<SecurityField> fields = new ArrayList<>();
    FIELDS.forEach((key, name) -> Optional.ofNullable(chosen.get(key.name())).ifPresent(v -> fields.add(new SecurityField(name, v))));
    return fields;
  }

  /** Reads the error pages of a realm or of a route. */
  static ErrorPages errorPages(YamlSection section, Key<YamlValue> key) {
    Map<String, String> pages = new LinkedHashMap<>();
    section
        .map(key)
        .forEach(
            (status, file) -> {
              if (status.matches("[45]\\d\\d|[45]xx|other")) {
                html(file).ifPresent(page -> pages.put(status, page));
              } else {
                file.wrong("stands for no status of an error", "write a status like 404, a class like 5xx, or other");
              }
            });
    return new ErrorPages(pages);
  }

  static Optional<String> html(YamlValue file) {
    return file.content()
        .flatMap(
            content -> {
              try {
                return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString());
              } catch (CharacterCodingException e) {
                return file.wrong(file.shownPath() + " is not UTF-8", "save the page as UTF-8");
              }
            });
  }

  private static Maintenance maintenance(YamlSection section) {
    return new Maintenance(
        section.get(ON), section.find(UNTIL), section.find(PAGE), section.all(ALLOW), Set.copyOf(section.all(ALLOW_ROLES)));
  }

  private static Optional<Instant> instant(YamlValue value) {
    try {
      return Optional.of(OffsetDateTime.parse(value.text()).toInstant());
    } catch (DateTimeParseException e) {
      return value.wrong(value.shown() + " is no time", "write one with its offset, like 2026-12-24T06:00:00+01:00");
    }
  }
}
