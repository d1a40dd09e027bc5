package dev.gatehouse.sp.login;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.sp.edge.SpRealm;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A requested login: the place to return to, and the kind of login. It travels in the query of our own links, so it can
 * request things but allow nothing: the requirements of a route come from the route's configuration.
 *
 * @param route the name of the route that requires the login, if any; its {@link LoginRequirements} apply
 * @param identityProvider the entity ID of the chosen identity provider
 * @param forceAuthn whether the identity provider must authenticate the person anew (SAML Core 3.4.1)
 * @param isPassive whether the identity provider must not show anything to the person (SAML Core 3.4.1)
 * @param stepUp AuthnContextClassRefs of which the route's policies require one for this person
 */
public record LoginRequest(
    ReturnTarget target,
    Optional<String> route,
    Optional<String> identityProvider,
    boolean forceAuthn,
    boolean isPassive,
    List<String> stepUp) {

  private static final int HASH_LENGTH = 43;

  /** Any login, with this return target. */
  public static LoginRequest to(ReturnTarget target) {
    return new LoginRequest(target, Optional.empty(), Optional.empty(), false, false, List.of());
  }

  /** Reads {@code return}, {@code nonce}, {@code route}, {@code idp}, {@code force}, {@code passive} and {@code context}. */
  static LoginRequest parse(SpRealm realm, EdgeRequest request, Parameters parameters) {
    return new LoginRequest(
        target(realm, request, parameters),
        parameters.one("route"),
        parameters.one("idp").filter(realm.identityProviders()::contains),
        parameters.one("force").filter("true"::equals).isPresent(),
        parameters.one("passive").filter("true"::equals).isPresent(),
        parameters.one("context").map(LoginRequest::split).orElse(List.of()));
  }

  private static ReturnTarget target(SpRealm realm, EdgeRequest request, Parameters parameters) {
    ReturnTarget target = ReturnTarget.parse(parameters.one("return").orElse("/"), realm, request.origin());
    return parameters
        .one("nonce")
        .filter(nonce -> nonce.length() == HASH_LENGTH)
        .filter(nonce -> !target.origin().equals(realm.home()))
        .map(target::withNonceHash)
        .orElse(target);
  }

  /** The requirements of the route; {@link LoginRequirements#ANY} if no route requires the login. */
  public LoginRequirements requirements(SpRealm realm) {
    return route.map(name -> LoginRequirements.of(realm.realm(), new RouteLogin(name, stepUp))).orElse(LoginRequirements.ANY);
  }

  LoginRequest withTarget(ReturnTarget other) {
    return new LoginRequest(other, route, identityProvider, forceAuthn, isPassive, stepUp);
  }

  LoginRequest of(RouteLogin asked) {
    return new LoginRequest(
        target, Optional.of(asked.route()), identityProvider, forceAuthn, isPassive, asked.stepUp());
  }

  /** The same login at this identity provider. */
  public LoginRequest at(String chosen) {
    return withIdentityProvider(Optional.of(chosen));
  }

  LoginRequest withIdentityProvider(Optional<String> chosen) {
    return new LoginRequest(target, route, chosen, forceAuthn, isPassive, stepUp);
  }

  /** The same login; the identity provider must authenticate the person anew. */
  LoginRequest anew() {
    return new LoginRequest(target, route, identityProvider, true, false, stepUp);
  }

  /** The same login; the identity provider may interact with the person. */
  LoginRequest active() {
    return new LoginRequest(target, route, identityProvider, forceAuthn, false, stepUp);
  }

  /** The parameters by name, for a form that is sent to this origin. */
  Map<String, String> parameters(Origin at) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("return", target.origin().equals(at) ? target.path() : target.url());
    target.nonceHash().ifPresent(nonce -> parameters.put("nonce", nonce));
    route.ifPresent(name -> parameters.put("route", name));
    identityProvider.ifPresent(chosen -> parameters.put("idp", chosen));
    if (forceAuthn) {
      parameters.put("force", "true");
    }
    if (isPassive) {
      parameters.put("passive", "true");
    }
    if (!stepUp.isEmpty()) {
      parameters.put("context", String.join(" ", stepUp));
    }
    return parameters;
  }

  /** The parameters as a query for this origin, without the question mark. */
  String query(Origin at) {
    return parameters(at).entrySet().stream()
        .map(parameter -> parameter.getKey() + "=" + encode(parameter.getValue()))
        .collect(Collectors.joining("&"));
  }

  /** Splits at spaces: a URI contains none. */
  private static List<String> split(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  static void write(PackedWriter out, LoginRequest loginRequest) {
    ReturnTarget.write(out, loginRequest.target());
    out.optional(loginRequest.route(), PackedWriter::text);
    out.optional(loginRequest.identityProvider(), PackedWriter::text);
    out.number(loginRequest.forceAuthn() ? 1 : 0);
    out.number(loginRequest.isPassive() ? 1 : 0);
    out.text(String.join(" ", loginRequest.stepUp()));
  }

  static LoginRequest read(PackedReader in) {
    return new LoginRequest(
        ReturnTarget.read(in),
        in.optional(PackedReader::text),
        in.optional(PackedReader::text),
        in.number() == 1,
        in.number() == 1,
        split(in.text()));
  }
}
