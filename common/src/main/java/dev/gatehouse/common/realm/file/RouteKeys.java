package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Key.Form;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The declared keys of {@code routes}; several readers share them. */
final class RouteKeys {

  static final Section KEYS = new Section();
  static final Key<String> NAME =
      KEYS.key(
          "name", Type.TEXT, "e.g. shop", "Unique in the realm; the path, with hosts and methods where it has them, unless configured.");
  static final Key<YamlValue> HOSTS =
      KEYS.list("hosts", Type.FILE, "e.g. [app.example.org]", "Without ports; all of the sp's unless configured.");
  static final Key<String> PATH =
      KEYS.required(
          "path", Type.matching("path", "^/", PathTemplate::read), "/shop/", "write a prefix, like / or /manager/",
          "That and all below it: /manager and /manager/ are the same, never /managers. The longest path wins. Whole segments "
              + "may be variables: `/accounts/{account}/`.");
  static final Key<String> METHODS =
      KEYS.list(
          "methods", RuleYaml.METHOD, "e.g. [GET, POST]",
          "Methods of this route; all unless configured. Routes of one path may share it by method.");
  static final Key<YamlValue> UPSTREAM =
      KEYS.either(
          "upstream", Set.of(Form.SCALAR, Form.SECTION),
          Type.matching("URL or `none`", "^[Hh][Tt][Tt][Pp][Ss]?://|^none$", Optional::of), UpstreamYaml.KEYS,
          "e.g. http://127.0.0.1:9000",
          "The app, required; may have a base path. Or a section for several servers. `none`: another proxy serves the route "
              + "and asks at /.gatehouse/forward-auth/NAME; here it answers nobody.");
  static final Key<Boolean> ACCESS =
      KEYS.key(
          "access", Type.choice(open -> open ? "public" : "protected", false, true), "protected",
          "Who may come: people who are logged in, or anybody.");
  static final Key<String> ROLES =
      KEYS.list("roles", Type.NAME, "e.g. [manager]", "Any of them is required. Not with `access: public`.");
  static final Key<YamlValue> POLICIES =
      KEYS.list("policies", Type.FILE, "[]", "Names of the realm's policies, all of which must permit a request.");
  static final Key<Void> RULES =
      KEYS.sections("rules", RuleYaml.KEYS, "Rules of this route's own policy; the first that applies counts, and none denies.");
  static final Key<SignOnYaml.Kind> CONTRACT =
      KEYS.key(
          "contract", Type.choice(SignOnYaml.Kind.class), "form",
          "How people log in: at the identity provider, by HTTP Basic or by the client certificate of the listener.");
  static final Key<Duration> PASSWORD_CACHE =
      KEYS.key(
          "passwordCache", Type.duration("0s", "1d"), "60s",
          "With `contract: basic`: how long a password that was right is not compared again.");
  static final Key<Void> SESSION =
      KEYS.section("session", SignOnYaml.SESSION, "How fresh the session must be; as the sp's unless configured.");
  static final Key<String> IDENTITY_PROVIDER =
      KEYS.key(
          "identityProvider", Type.ENTITY_ID, "e.g. https://login.example.org", "One of the sp's: people of this route are sent there.");
  static final Key<String> AUTHN_CONTEXT =
      KEYS.list(
          "authnContext", Type.ENTITY_ID, "[]",
          "AuthnContextClassRefs (acr of OpenID) of which the login must have one, e.g. `[https://refeds.org/profile/mfa]`.");
  static final Key<Void> BEARER = KEYS.section("bearer", BearerYaml.KEYS, "Access tokens in place of sessions.");
  static final Key<YamlValue> INJECT =
      KEYS.either(
          "inject", Set.of(Form.MAP, Form.SECTION), Type.FILE, InjectYaml.KEYS, "{Remote-User: user, Remote-Groups: groups}",
          "What the app is told: header to user, roles, groups, a SAML attribute, session.provider, .nameId, .nameIdFormat, "
              + ".authnContext, .loginTime, .id, .realm or request.client; or the section.");
  static final Key<Void> FORM_FILL =
      KEYS.section("formFill", FormFillYaml.KEYS, "The app's own login form is filled by the gateway.");
  static final Key<Boolean> REPLAY_POSTS =
      KEYS.key(
          "replayPosts", Type.BOOL, "false",
          "Keep a POST that meets a login (`limits.replayBody`) and repeat it after a confirming click.");
  static final Key<Void> LIMITS = KEYS.section("limits", TrafficYaml.KEYS, "Limits of this route; beyond a rate: 429.");
  static final Key<Boolean> CACHE =
      KEYS.either(
          "cache", Set.of(Form.SCALAR, Form.SECTION), Type.BOOL, CacheYaml.KEYS, "false",
          "Responses are kept in memory as the app's Cache-Control and Expires say.");
  static final Key<Void> REWRITE = KEYS.section("rewrite", RewriteYaml.KEYS, "What the app's paths are called outside.");
  static final Key<Void> WEB_SOCKET = KEYS.section("webSocket", TrafficYaml.WEB_SOCKET, "WebSockets.");
  static final Key<Boolean> SECURITY_HEADERS =
      KEYS.either(
          "securityHeaders", Set.of(Form.SCALAR, Form.SECTION), Type.choice(on -> on ? "standard" : "none", true, false),
          ResponseYaml.HEADERS, "none", "Fields of responses; an app's own value stays, except for `hsts`.");
  static final Key<YamlValue> ERROR_PAGES =
      KEYS.map(
          "errorPages", Type.FILE, "{}",
          "Status, class or other to file, e.g. `{404: 404.html, 5xx: error.html, other: error.html}`; `{{status}}` and `{{reference}}` "
              + "are filled in.");
  static final Key<Void> MAINTENANCE = KEYS.section("maintenance", ResponseYaml.MAINTENANCE, "Answers 503.");

  private RouteKeys() {}
}
