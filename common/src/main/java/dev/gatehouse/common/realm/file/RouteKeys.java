package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Key.Form;
import dev.gatehouse.common.realm.yaml.PathTemplate;
import dev.gatehouse.common.realm.yaml.Reach;
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
          "name", Type.TEXT, "e.g. shop",
          "The route's name, unique in the realm; default: the path, with hosts and methods if it has any.");
  static final Key<YamlValue> HOSTS =
      KEYS.list("hosts", Type.FILE.reaching(Reach.HOST), "e.g. [app.example.org]",
          "Hosts of this route, without ports; all hosts of the sp unless configured.");
  static final Key<String> PATH =
      KEYS.required(
          "path", Type.matching("path", "^/", PathTemplate::read), "/shop/", "write a prefix, like / or /manager/",
          "The route's path, and all paths below it: /manager and /manager/ are the same, /managers does not match. The longest "
              + "path wins. Whole segments may be variables: `/accounts/{account}/`.");
  static final Key<String> METHODS =
      KEYS.list(
          "methods", RuleYaml.METHOD, "e.g. [GET, POST]",
          "Methods of this route; all unless configured. Several routes may have one path if their methods differ.");
  static final Key<YamlValue> UPSTREAM =
      KEYS.either(
          "upstream", Set.of(Form.SCALAR, Form.SECTION),
          Type.matching("URL or `none`", "^[Hh][Tt][Tt][Pp][Ss]?://|^none$", Optional::of).reaching(Reach.UPSTREAM), UpstreamYaml.KEYS,
          "e.g. http://127.0.0.1:9000",
          "The app's URL, which may have a base path, or a section for several servers; required. `none`: another proxy serves "
              + "the route and asks at /.gatehouse/forward-auth/NAME; the gateway itself denies requests.");
  static final Key<Boolean> ACCESS =
      KEYS.key(
          "access", Type.choice(open -> open ? "public" : "protected", false, true), "protected",
          "Who may use the route: people who are logged in, or anybody.");
  static final Key<String> ROLES =
      KEYS.list("roles", Type.NAME, "e.g. [manager]", "Roles of which a person needs one. Not with `access: public`.");
  static final Key<YamlValue> POLICIES =
      KEYS.list("policies", Type.FILE, "[]", "Names of the realm's policies, all of which must permit a request.");
  static final Key<Void> RULES =
      KEYS.sections("rules", RuleYaml.KEYS,
          "Rules of this route's own policy; the first one that applies decides, and a request to which none applies is denied.");
  static final Key<SignOnYaml.Kind> CONTRACT =
      KEYS.key(
          "contract", Type.choice(SignOnYaml.Kind.class), "form",
          "How people log in: at the identity provider, by HTTP Basic or by the client certificate of the listener.");
  static final Key<Duration> PASSWORD_CACHE =
      KEYS.key(
          "passwordCache", Type.duration("0s", "1d"), "60s",
          "With `contract: basic`: how long a correct password is not verified again.");
  static final Key<Void> SESSION =
      KEYS.section("session", SignOnYaml.SESSION, "How recent the session must be; the sp's limits unless configured.");
  static final Key<String> IDENTITY_PROVIDER =
      KEYS.key(
          "identityProvider", Type.ENTITY_ID, "e.g. https://login.example.org",
          "The identity provider, among those of the sp, at which people log in for this route.");
  static final Key<String> AUTHN_CONTEXT =
      KEYS.list(
          "authnContext", Type.ENTITY_ID, "[]",
          "AuthnContextClassRefs (acr of OpenID) of which the login must have one, e.g. `[https://refeds.org/profile/mfa]`.");
  static final Key<Void> BEARER = KEYS.section("bearer", BearerYaml.KEYS, "Access tokens in place of sessions.");
  static final Key<YamlValue> INJECT =
      KEYS.either(
          "inject", Set.of(Form.MAP, Form.SECTION), Type.FILE, InjectYaml.KEYS, "{Remote-User: user, Remote-Groups: groups}",
          "What the app learns about the person: headers, each with user, roles, groups, a SAML attribute, session.provider, "
              + ".nameId, .nameIdFormat, .authnContext, .loginTime, .id, .realm or request.client; or the section.");
  static final Key<Void> FORM_FILL =
      KEYS.section("formFill", FormFillYaml.KEYS, "How the gateway fills in the app's own login form.");
  static final Key<Boolean> REPLAY_POSTS =
      KEYS.key(
          "replayPosts", Type.BOOL, "false",
          "Whether a POST that requires a login is kept (up to `limits.replayBody`) and repeated after the person confirms it.");
  static final Key<Void> LIMITS = KEYS.section("limits", TrafficYaml.KEYS,
      "Limits of this route; a request beyond a rate gets 429.");
  static final Key<Boolean> CACHE =
      KEYS.either(
          "cache", Set.of(Form.SCALAR, Form.SECTION), Type.BOOL, CacheYaml.KEYS, "false",
          "Whether responses are stored in memory, as the app's Cache-Control and Expires permit.");
  static final Key<Void> REWRITE = KEYS.section("rewrite", RewriteYaml.KEYS, "How paths differ between clients and the app.");
  static final Key<Void> WEB_SOCKET = KEYS.section("webSocket", TrafficYaml.WEB_SOCKET, "WebSockets.");
  static final Key<Boolean> SECURITY_HEADERS =
      KEYS.either(
          "securityHeaders", Set.of(Form.SCALAR, Form.SECTION), Type.choice(on -> on ? "standard" : "none", true, false),
          ResponseYaml.HEADERS, "none", "Security fields of responses; an app's own value stays, except for `hsts`.");
  static final Key<YamlValue> ERROR_PAGES =
      KEYS.map(
          "errorPages", Type.FILE, "{}",
          "The file for a status, a class of statuses or `other`, e.g. `{404: 404.html, 5xx: error.html, other: error.html}`; "
              + "`{{status}}` and `{{reference}}` are replaced.");
  static final Key<Void> MAINTENANCE = KEYS.section("maintenance", ResponseYaml.MAINTENANCE, "Maintenance: requests get 503.");

  private RouteKeys() {}
}
