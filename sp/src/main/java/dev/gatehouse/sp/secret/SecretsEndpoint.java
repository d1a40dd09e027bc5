package dev.gatehouse.sp.secret;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.device.BoundSessions;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.LoginEndpoint;
import dev.gatehouse.sp.login.LoginRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import dev.gatehouse.sp.secret.SecretsLocation.Why;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * {@code /.gatehouse/secrets}: the page on which a person stores, replaces and deletes the values that fill the login
 * forms of apps. It shows which values exist, and never a value. A login form for which a value is missing leads here
 * and back.
 */
public final class SecretsEndpoint {

  private static final String FORM = "secrets";
  private static final String VALUE = "value.";
  private static final Set<String> NAMES = Set.of("user", "username", "login", "name", "mail", "email", "account");
  private static final Set<String> SECRETS = Set.of("password", "pin");

  /**
   * One value of an app.
   *
   * @param label message key of its label, for common names
   * @param shown whether the value is visible while it is typed
   */
  public record Field(String name, Optional<String> label, boolean shown, boolean isStored) {
    static Field of(String name, boolean isStored) {
      boolean usual = NAMES.contains(name) || SECRETS.contains(name);
      Optional<String> label = usual ? Optional.of("secrets.field." + name) : Optional.empty();
      return new Field(name, label, NAMES.contains(name), isStored);
    }
  }

  /**
   * One app.
   *
   * @param since the time at which a value was last stored for it
   */
  public record Row(String app, List<Field> fields, boolean isStored, Optional<Instant> since) {}

  private final BoundSessions sessions;
  private final AppSecrets secrets;
  private final Pages pages;
  private final Refusals refusals;

  public SecretsEndpoint(BoundSessions sessions, AppSecrets secrets, Pages pages, Refusals refusals) {
    this.sessions = sessions;
    this.secrets = secrets;
    this.pages = pages;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    Optional<SessionToken> token = AppCookie.token(request);
    Optional<AppSession> session = sessions.ofBrowser(realm, request);
    return switch (request.method()) {
      case "GET", "HEAD" ->
          session.map(open -> show(realm, request, open, token.orElseThrow(), Optional.empty()))
              .orElseGet(() -> toLogin(request));
      case "POST" ->
          session.map(open -> change(realm, request, open, token.orElseThrow()))
              .orElseGet(() -> toLogin(request));
      default -> refusals.methodNotAllowed(realm, request, "GET, POST");
    };
  }

  private static EdgeReply toLogin(EdgeRequest request) {
    LoginRequest loginRequest = LoginRequest.to(ReturnTarget.local(request.origin(), SecretsLocation.PATH));
    return EdgeReply.seeOther(LoginEndpoint.link(request.origin(), loginRequest));
  }

  private EdgeReply show(
      SpRealm realm, EdgeRequest request, AppSession session, SessionToken token, Optional<String> wrong) {
    Parameters parameters = wrong.isPresent() ? request.formParameters() : request.queryParameters();
    Optional<String> asked = parameters.one("app");
    Optional<String> back = parameters.one("back").filter(ReturnTarget::isLocalPath);
    Optional<String> why =
        parameters.one("why").filter(word -> Stream.of(Why.values()).anyMatch(w -> w.word().equals(word)));
    List<Row> all = rows(realm, session);
    List<Row> shown =
        asked.isPresent() ? all.stream().filter(row -> row.app().equals(asked.get())).toList() : all;
    boolean anew = why.filter(word -> word.startsWith("password-")).isPresent();
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("action", SecretsLocation.PATH);
    model.put("csrf", CsrfToken.of(token, FORM));
    model.put("apps", shown);
    model.put("asked", asked.filter(app -> all.stream().anyMatch(row -> row.app().equals(app)) || anew));
    model.put("why", why);
    model.put("wrong", wrong);
    model.put("back", back);
    model.put("done", parameters.one("done").filter(Set.of("stored", "removed")::contains));
    model.put("login", anew ? Optional.of(again(request, back.orElse("/"))) : Optional.empty());
    return pages.render(
        request, Optional.of(realm.realm()), Page.of(wrong.isPresent() ? 400 : 200, "secrets", model));
  }

  /** The link to a login at the identity provider despite the existing session: only a login gives us the password. */
  private static String again(EdgeRequest request, String back) {
    LoginRequest loginRequest =
        new LoginRequest(
            ReturnTarget.local(request.origin(), back), Optional.empty(), Optional.empty(), true, false, List.of());
    return LoginEndpoint.link(request.origin(), loginRequest);
  }

  /** The realm's apps that request values, and those for which values are stored but no longer requested. */
  private List<Row> rows(SpRealm realm, AppSession session) {
    Map<String, Set<String>> wanted = new TreeMap<>();
    configured(realm)
        .forEach(fill -> wanted.computeIfAbsent(fill.app(), app -> new LinkedHashSet<>()).addAll(fill.stored()));
    wanted.values().removeIf(Set::isEmpty);
    Map<String, Map<String, Instant>> stored = new TreeMap<>();
    secrets
        .named(realm.name(), session.person())
        .forEach(
            named ->
                stored.computeIfAbsent(named.app(), app -> new TreeMap<>()).put(named.name(), named.changedAt()));
    Set<String> apps = new TreeSet<>(wanted.keySet());
    apps.addAll(stored.keySet());
    List<Row> rows = new ArrayList<>();
    for (String app : apps) {
      Map<String, Instant> there = stored.getOrDefault(app, Map.of());
      List<Field> fields =
          wanted.getOrDefault(app, Set.of()).stream()
              .map(name -> Field.of(name, there.containsKey(name)))
              .toList();
      rows.add(new Row(app, fields, !there.isEmpty(), there.values().stream().max(Instant::compareTo)));
    }
    return rows;
  }

  private static Stream<FormFillConfig> configured(SpRealm realm) {
    return realm.realm().gateway().routes().stream().map(route -> route.identity().formFill()).flatMap(Optional::stream);
  }

  private EdgeReply change(SpRealm realm, EdgeRequest request, AppSession session, SessionToken token) {
    Parameters form = request.formParameters();
    if (!CsrfToken.isIn(request, token, FORM)) {
      return refusals.page(realm, request, 403, "cross-site");
    }
    String app = form.one("app").orElse("");
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    if (form.one("remove").isPresent()) {
      boolean removed = secrets.remove(context, session.person(), app, "person");
      return EdgeReply.seeOther(SecretsLocation.PATH + (removed ? "?done=removed" : ""));
    }
    Set<String> names = new TreeSet<>();
    configured(realm).filter(fill -> fill.app().equals(app)).forEach(fill -> names.addAll(fill.stored()));
    Map<String, String> values = new LinkedHashMap<>();
    names.forEach(name -> form.one(VALUE + name).filter(value -> !value.isEmpty()).ifPresent(v -> values.put(name, v)));
    // A stored value may remain unchanged; a missing one must be entered now.
    Set<String> missing = new TreeSet<>(names);
    missing.removeAll(values.keySet());
    secrets.named(realm.name(), session.person()).stream()
        .filter(named -> named.app().equals(app))
        .forEach(named -> missing.remove(named.name()));
    boolean tooLong = values.values().stream().anyMatch(value -> value.length() > AppSecrets.LONGEST);
    if (values.isEmpty() || !missing.isEmpty() || tooLong) {
      return show(realm, request, session, token, Optional.of(tooLong ? "secrets.too-long" : "secrets.incomplete"));
    }
    secrets.put(context, session.person(), app, values);
    return EdgeReply.seeOther(
        form.one("back").filter(ReturnTarget::isLocalPath).orElse(SecretsLocation.PATH + "?done=stored"));
  }
}
