package dev.gatehouse.gateway.console;

import dev.gatehouse.gateway.admin.web.NotFound;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The kinds of apps that the wizard adds. */
enum AppKind {
  /** A SAML service provider. */
  SAML("partners", List.of("metadata", "entityId", "acs", "displayName", "release", "nameId")),
  /** A client of OpenID Connect. */
  OPENID("clients", List.of("clientId", "displayName", "redirectUris", "scopes", "type")),
  /** A web app that gets the person in headers. */
  PROXIED("routes", List.of("name", "host", "path", "upstream", "access", "roles", "server")),
  /** A web app with a login form of its own. */
  FORM_FILL("routes", List.of("name", "host", "path", "upstream", "formPath", "userField", "passwordField", "credentials"));

  private final String list;
  private final List<String> fields;

  /**
   * @param list the realm's list that the app's entry belongs to
   * @param fields the names of the form's fields
   */
  AppKind(String list, List<String> fields) {
    this.list = list;
    this.fields = fields;
  }

  String list() {
    return list;
  }

  List<String> fields() {
    return fields;
  }

  /** Returns its name in addresses, texts and templates. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static AppKind of(String word) {
    return Arrays.stream(values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new NotFound("The wizard has no such kind of app."));
  }
}
