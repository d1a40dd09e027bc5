package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.ErrorPages;
import dev.gatehouse.common.realm.ResponseConfig;
import dev.gatehouse.common.realm.ResponseConfig.Maintenance;
import dev.gatehouse.common.realm.ResponseConfig.SecurityField;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

  private static final Map<String, String> NAMES = new LinkedHashMap<>();

  static {
    NAMES.put("hsts", "Strict-Transport-Security");
    NAMES.put("contentSecurityPolicy", "Content-Security-Policy");
    NAMES.put("frameOptions", "X-Frame-Options");
    NAMES.put("referrerPolicy", "Referrer-Policy");
    NAMES.put("contentTypeOptions", "X-Content-Type-Options");
    NAMES.put("permissionsPolicy", "Permissions-Policy");
  }

  private final YamlSection route;

  ResponseYaml(YamlSection route) {
    this.route = route;
  }

  ResponseConfig read() {
    return new ResponseConfig(
        securityFields(), errorPages(route), route.section("maintenance").flatMap(ResponseYaml::maintenance));
  }

  private List<SecurityField> securityFields() {
    if (!route.has("securityHeaders")) {
      route.section("securityHeaders");
      return List.of();
    }
    if (route.isScalar("securityHeaders")) {
      boolean standard =
          route.value("securityHeaders").flatMap(v -> v.choice(Map.of("standard", true, "none", false))).orElse(false);
      return standard ? fields(STANDARD) : List.of();
    }
    Map<String, String> chosen = new LinkedHashMap<>();
    YamlSection section = route.sectionOrEmpty("securityHeaders");
    for (String key : NAMES.keySet()) {
      section.value(key).flatMap(v -> field(key, v)).ifPresent(value -> chosen.put(key, value));
    }
    if (section.read("preset", false, v -> v.choice(Map.of("standard", true, "none", false)))) {
      STANDARD.forEach(
          (key, value) -> {
            if (!section.has(key)) {
              chosen.put(key, value);
            }
          });
    }
    chosen.values().removeIf(value -> value.equals("none"));
    return fields(chosen);
  }

  private static Optional<String> field(String key, YamlValue value) {
    if (value.text().equals("none")) {
      return Optional.of("none");
    }
    return switch (key) {
      case "frameOptions" -> value.choice(Map.of("deny", "DENY", "sameorigin", "SAMEORIGIN", "none", "none"));
      case "contentTypeOptions" -> value.choice(Map.of("nosniff", "nosniff", "none", "none"));
      case "hsts" ->
          value.text().matches("max-age=\\d{1,10}(; ?includeSubDomains)?(; ?preload)?")
              ? Optional.of(value.text())
              : value.wrong(
                  value.shown() + " is no Strict-Transport-Security", "write one like max-age=31536000; includeSubDomains");
      case String other -> ascii(value);
    };
  }

  private static Optional<String> ascii(YamlValue value) {
    return value.text().chars().allMatch(c -> c >= 0x20 && c < 0x7f)
        ? Optional.of(value.text())
        : value.wrong("has characters that no header may have", "write plain ASCII on one line");
  }

  private static List<SecurityField> fields(Map<String, String> chosen) {
    List<SecurityField> fields = new ArrayList<>();
    NAMES.forEach((key, name) -> Optional.ofNullable(chosen.get(key)).ifPresent(v -> fields.add(new SecurityField(name, v))));
    return fields;
  }

  /** Reads the error pages of a realm or of a route. */
  static ErrorPages errorPages(YamlSection section) {
    Map<String, String> pages = new LinkedHashMap<>();
    section
        .map("errorPages")
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

  private static Optional<String> html(YamlValue file) {
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

  private static Optional<Maintenance> maintenance(YamlSection section) {
    boolean on = section.read("on", true, YamlValue::bool);
    Optional<Instant> until = section.value("until").flatMap(ResponseYaml::instant);
    Optional<String> page = section.value("page").flatMap(ResponseYaml::html);
    List<Cidr> addresses = section.values("allow").stream().flatMap(v -> v.cidr().stream()).toList();
    Set<String> roles =
        section.values("allowRoles").stream().flatMap(v -> v.name().stream()).collect(Collectors.toSet());
    return Optional.of(new Maintenance(on, until, page, addresses, roles));
  }

  private static Optional<Instant> instant(YamlValue value) {
    try {
      return Optional.of(OffsetDateTime.parse(value.text()).toInstant());
    } catch (DateTimeParseException e) {
      return value.wrong(value.shown() + " is no time", "write one with its offset, like 2026-12-24T06:00:00+01:00");
    }
  }
}
