package dev.gatehouse.idp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sign-on that a login by form completes. The form's reply redirects the browser to the address at which the sign-on waits, on this
 * node; a browser is spared that exchange: it gets what that address would have answered, with the cookies of both replies. The request is
 * the one that the browser would have sent, so every check is made as if it had been.
 */
final class ContinuedLogin {

  private static final String FORM = "login";
  private static final String WAITING = "pending=";
  private static final byte[] NO_BODY = {};

  /** The addresses at which sign-ons wait. */
  private static final Set<String> SIGN_ONS = Set.of("saml/sso", "oauth/authorize");

  /** Fields of the form's request that a browser does not repeat after a redirect, and its cookies, which have changed. */
  private static final Set<String> OF_THE_FORM =
      Set.of("content-type", "content-length", "content-encoding", "transfer-encoding", "expect", "origin", "cookie");

  /** Fields of a redirect that mean nothing beside another answer. */
  private static final Set<String> OF_THE_REDIRECT = Set.of("location", "content-type", "cache-control");

  private ContinuedLogin() {}

  /**
   * Returns the request that the browser would send next; empty unless the reply leads from the login form to a waiting sign-on. Programs
   * follow the redirect, which they may look at.
   */
  static Optional<EdgeRequest> next(EdgeRequest request, EdgeReply reply) {
    boolean fromBrowser = request.headers().first("Sec-Fetch-Mode").filter("navigate"::equals).isPresent();
    if (!fromBrowser || !request.method().equals("POST") || reply.status() != 303) {
      return Optional.empty();
    }
    Optional<Routes.Target> form = Routes.target(request.path()).filter(target -> target.path().equals(FORM));
    String location = reply.headers().first("Location").orElse("");
    int query = location.indexOf('?');
    if (form.isEmpty() || query < 0 || !location.startsWith(WAITING, query + 1)) {
      return Optional.empty();
    }
    String path = location.substring(0, query);
    return Routes.target(path)
        .filter(target -> target.realm().equals(form.get().realm()) && SIGN_ONS.contains(target.path()))
        .map(
            _ ->
                new EdgeRequest(
                    "GET", request.origin(), path, location.substring(query + 1), headers(request, reply), NO_BODY, request.client()));
  }

  private static Headers headers(EdgeRequest request, EdgeReply reply) {
    List<Headers.Field> fields = without(OF_THE_FORM, request.headers());
    String cookies = cookies(request, reply);
    if (!cookies.isEmpty()) {
      fields.add(new Headers.Field("Cookie", cookies));
    }
    return Headers.of(fields);
  }

  /** Returns the cookies that the browser has after the reply. */
  private static String cookies(EdgeRequest request, EdgeReply reply) {
    List<String> set = reply.headers().all("Set-Cookie");
    Set<String> names = set.stream().map(cookie -> name(cookie)).collect(Collectors.toSet());
    Stream<String> kept =
        request.headers().all("Cookie").stream()
            .flatMap(field -> Stream.of(field.split(";")))
            .map(String::strip)
            .filter(cookie -> !names.contains(name(cookie)));
    Stream<String> fresh = set.stream().filter(cookie -> !isRemoval(cookie)).map(ContinuedLogin::pair);
    return Stream.concat(kept, fresh).filter(cookie -> !cookie.isEmpty()).collect(Collectors.joining("; "));
  }

  private static String name(String cookie) {
    int equals = cookie.indexOf('=');
    return equals < 0 ? "" : cookie.substring(0, equals).strip();
  }

  private static String pair(String setCookie) {
    int end = setCookie.indexOf(';');
    return end < 0 ? setCookie : setCookie.substring(0, end);
  }

  private static boolean isRemoval(String setCookie) {
    return setCookie.contains("; Max-Age=0");
  }

  /** Returns what the browser gets: the sign-on's answer, with what the login gave it. */
  static EdgeReply together(EdgeReply login, EdgeReply answer) {
    List<Headers.Field> fields = without(OF_THE_REDIRECT, login.headers());
    fields.addAll(answer.headers().fields());
    return new EdgeReply(answer.status(), Headers.of(fields), answer.body());
  }

  private static List<Headers.Field> without(Set<String> names, Headers headers) {
    List<Headers.Field> fields = new ArrayList<>();
    for (Headers.Field field : headers.fields()) {
      if (!names.contains(field.name().toLowerCase(Locale.ROOT))) {
        fields.add(field);
      }
    }
    return fields;
  }
}
