package dev.gatehouse.gateway.forwardauth;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.login.RouteLogin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Answers another proxy that asks whether a request may pass: 200 with the identity fields for its app, or the response
 * that the proxy's conventions require for a redirect or a refusal. {@link ForwardAuthRequest} has read the described
 * request, which was then decided as if it had been sent to the gateway.
 */
public record ForwardAuth(ForwardAuth.Dialect dialect) {

  /** The prefix of the paths for such questions; the proxy's name follows. */
  static final String PATH = SpPaths.PREFIX + "forward-auth/";

  /** The kind of proxy that asks. */
  enum Dialect {
    /** {@code auth_request}: accepts 2xx, 401 and 403, and treats everything else as an error of the gateway. */
    NGINX,
    TRAEFIK,
    CADDY,
    HAPROXY,
    /** {@code ext_authz} over HTTP: the requested path follows the prefix. */
    ENVOY;

    String path() {
      return PATH + name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String LOGIN = "X-Gatehouse-Login";
  private static final String REASON = "X-Gatehouse-Reason";

  /** Names fields that the proxy must remove from the client's request; only Envoy knows it. */
  private static final String ENVOY_REMOVES = "X-Envoy-Auth-Headers-To-Remove";

  /**
   * Returns whether the path was already normalised. The other proxy forwards the path as it arrived, so the decision must not
   * rest on a reading of it that the app does not share.
   */
  public static boolean isPlain(RequestHead head, RequestPath path) {
    byte[] bytes = head.fields().bytes();
    long slashes = 0;
    for (int i = head.pathStart(); i < head.pathEnd(); i++) {
      slashes += bytes[i] == '/' ? 1 : 0;
    }
    boolean folder = bytes[head.pathEnd() - 1] == '/';
    return path.value().chars().filter(c -> c == '/').count() == slashes && path.value().endsWith("/") == folder;
  }

  /**
   * Permits the request. Empty if a value of the identity fields cannot be sent.
   *
   * @param request with complete edits
   */
  public Optional<EdgeReply> permit(PermittedRequest request) {
    IdentityFilter conventional = request.route().conventional();
    Optional<HeaderEdits> usual =
        switch (request.permit().subject()) {
          case Subject.Person(var session) -> conventional.edits(session);
          case Subject.Holder(var token) -> conventional.edits(token);
          case Subject.Anonymous anonymous -> Optional.of(HeaderEdits.none());
        };
    return usual.map(names -> permit(request, request.permit().edits().edits(), names.edits()));
  }

  private EdgeReply permit(PermittedRequest request, List<HeaderEdits.Edit> configured, List<HeaderEdits.Edit> usual) {
    TreeSet<String> sent = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    List<Headers.Field> fields = new ArrayList<>();
    for (List<HeaderEdits.Edit> edits : List.of(configured, usual)) {
      for (HeaderEdits.Edit edit : edits) {
        if (!isPassword(edit) && sent.add(edit.name())) {
          byte[] bytes = edit.value().getBytes(StandardCharsets.ISO_8859_1);
          fields.add(new Headers.Field(edit.name(), new String(bytes, StandardCharsets.UTF_8)));
        }
      }
    }
    // These are the cookies of a session that was just opened; the other proxy chooses whether to pass them on.
    request.cookies().forEach(cookie -> fields.add(new Headers.Field(cookie.name(), cookie.value())));
    if (dialect == Dialect.ENVOY) {
      TreeSet<String> removed = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
      InjectConfig inject = request.route().config().identity().inject();
      removed.addAll(inject.headers().keySet());
      inject.jwt().ifPresent(jwt -> removed.add(jwt.header()));
      inject.forwardAuth().forEach(convention -> removed.addAll(convention.headers().keySet()));
      removed.remove("Authorization");
      removed.removeAll(sent);
      if (!removed.isEmpty()) {
        fields.add(new Headers.Field(ENVOY_REMOVES, String.join(",", removed).toLowerCase(Locale.ROOT)));
      }
    }
    return new EdgeReply(200, Headers.of(fields), new byte[0]);
  }

  /**
   * A password that the gateway shares with an app is sent only on the gateway's own connections. If the other proxy
   * lets clients ask as well, they learn nothing beyond their own data.
   */
  private static boolean isPassword(HeaderEdits.Edit edit) {
    return edit.name().equalsIgnoreCase("Authorization") && edit.value().startsWith("Basic ");
  }

  /**
   * Asks the person to log in, at an address of the same origin, which the other proxy must route to the gateway.
   * Blocks.
   */
  public EdgeReply challenge(ServiceProvider serviceProvider, Realm realm, EdgeRequest request, RouteLogin route) {
    Optional<String> login = serviceProvider.loginAddress(realm, request, route);
    if (dialect == Dialect.NGINX) {
      EdgeReply reply = EdgeReply.json(401, new JsonText().text("error", "login-required")).with(REASON, "LOGIN_REQUIRED");
      return login.map(address -> reply.with(LOGIN, address)).orElse(reply);
    }
    return login
        .map(address -> new EdgeReply(302, Headers.of("Location", address), new byte[0]).with(LOGIN, address))
        .orElseGet(() -> serviceProvider.challenge(realm, request, route, false))
        .with(REASON, "LOGIN_REQUIRED");
  }

  /** Answers a request that may not pass or could not be decided. */
  public EdgeReply refused(EdgeReply page, Refusal refusal) {
    int status = page.status();
    boolean understood = dialect != Dialect.NGINX || status == 401 || status == 403 || status >= 500;
    EdgeReply reply = understood ? page : new EdgeReply(403, page.headers(), page.body());
    return reply.with(REASON, refusal.reason());
  }
}
