package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads the parameters of an authorization request (RFC 6749, sections 4.1.1 and 4.2.1; OpenID Connect Core 3.1.2.1).
 * First it determines the redirect URI for an answer: before that, nothing is sent anywhere.
 */
final class AuthorizationRequests {

  /** The result of reading. */
  sealed interface Read {
    /**
     * There is no trusted redirect URI: the person sees one of our pages.
     *
     * @param reason for audit and log
     */
    record Unanswerable(String reason, OAuthError error) implements Read {}

    record Refused(ResponseTarget reply, OAuthError error) implements Read {}

    record Accepted(AuthorizationRequest asked) implements Read {}
  }

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  private final IdTokenHints hints;
  private final InstantSource clock;

  AuthorizationRequests(IdTokenHints hints, InstantSource clock) {
    this.hints = hints;
    this.clock = clock;
  }

  Read read(RealmRequest request, Client client, RequestParameters parameters) {
    Optional<Set<ResponseType>> types = types(parameters);
    return at(
        client,
        parameters,
        types,
        usual ->
            switch (reply(parameters, types, usual)) {
              case Result.Refused(var error) -> new Read.Refused(usual, error);
              case Result.Accepted(var reply) ->
                  switch (accept(request, client, parameters, types, reply)) {
                    case Result.Refused(var error) -> new Read.Refused(reply, error);
                    case Result.Accepted(var asked) -> new Read.Accepted(asked);
                  };
            });
  }

  /** Returns an error, which goes to the redirect URI if it is the client's. */
  static Read refuse(Client client, RequestParameters parameters, OAuthError error) {
    Optional<Set<ResponseType>> types = types(parameters);
    return at(
        client,
        parameters,
        types,
        usual ->
            switch (reply(parameters, types, usual)) {
              case Result.Refused<ResponseTarget, OAuthError> refused -> new Read.Refused(usual, error);
              case Result.Accepted(var reply) -> new Read.Refused(reply, error);
            });
  }

  private static Optional<Set<ResponseType>> types(RequestParameters parameters) {
    return parameters.one("response_type").flatMap(ResponseType::parse);
  }

  /** @param then receives the response target with the default response mode */
  private static Read at(
      Client client,
      RequestParameters parameters,
      Optional<Set<ResponseType>> types,
      Function<ResponseTarget, Read> then) {
    Optional<String> uri = parameters.one("redirect_uri");
    List<String> own = client.config().permissions().redirectUris();
    if (parameters.twice().contains("redirect_uri")) {
      return unanswerable("REDIRECT_URI_TWICE", "redirect_uri occurs more than once");
    }
    if (uri.isPresent() && !RedirectUris.lists(client, uri.get())) {
      return unanswerable("REDIRECT_URI_UNKNOWN", "redirect_uri is not one of the client's");
    }
    boolean isOpenId = parameters.one("scope").filter(scope -> List.of(scope.split(" ")).contains(Scopes.OPENID)).isPresent();
    if (uri.isEmpty() && (isOpenId || own.size() != 1)) {
      return unanswerable("REDIRECT_URI_MISSING", "redirect_uri is missing");
    }
    return then.apply(
        new ResponseTarget(
            uri.orElseGet(own::getFirst),
            uri.isPresent(),
            types.map(ResponseMode::usual).orElse(ResponseMode.QUERY),
            parameters.one("state")));
  }

  private static Read.Unanswerable unanswerable(String reason, String description) {
    return new Read.Unanswerable(reason, OAuthError.of(Code.INVALID_REQUEST, description));
  }

  private static Result<ResponseTarget, OAuthError> reply(
      RequestParameters parameters, Optional<Set<ResponseType>> types, ResponseTarget usual) {
    Optional<String> named = parameters.one("response_mode");
    if (named.isEmpty()) {
      return Result.accepted(usual);
    }
    Optional<ResponseMode> mode = named.flatMap(ResponseMode::of);
    if (mode.isEmpty()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "response_mode is not supported");
    }
    if (mode.get() == ResponseMode.QUERY && usual.mode() == ResponseMode.FRAGMENT && types.isPresent()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "response_mode query is not for tokens");
    }
    if (mode.get() == ResponseMode.FORM_POST && !usual.redirectUri().startsWith("http")) {
      return OAuthError.refused(Code.INVALID_REQUEST, "response_mode form_post needs an https redirect_uri");
    }
    return Result.accepted(new ResponseTarget(usual.redirectUri(), usual.named(), mode.get(), usual.state()));
  }

  private Result<AuthorizationRequest, OAuthError> accept(
      RealmRequest request,
      Client client,
      RequestParameters parameters,
      Optional<Set<ResponseType>> types,
      ResponseTarget reply) {
    if (!parameters.twice().isEmpty()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "a parameter occurs more than once");
    }
    if (parameters.one("response_type").isEmpty()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "response_type is missing");
    }
    if (types.isEmpty()) {
      return OAuthError.refused(Code.UNSUPPORTED_RESPONSE_TYPE, "there is no such response_type");
    }
    if (parameters.one("registration").isPresent()) {
      return OAuthError.refused(Code.REGISTRATION_NOT_SUPPORTED, "clients register beforehand");
    }
    Set<String> scopes =
        Scopes.granted(client, parameters.one("scope"), types.get().contains(ResponseType.CODE));
    return RequestRules.mayUse(client, types.get())
        .or(() -> RequestRules.scopes(parameters, types.get(), scopes))
        .or(() -> RequestRules.pkce(client, parameters, types.get()))
        .or(() -> RequestRules.resources(request, client, parameters))
        .or(() -> RequestRules.binding(parameters))
        .<Result<AuthorizationRequest, OAuthError>>map(Result.Refused::new)
        .orElseGet(() -> assemble(request, client, parameters, types.get(), scopes, reply));
  }

  private Result<AuthorizationRequest, OAuthError> assemble(
      RealmRequest request,
      Client client,
      RequestParameters parameters,
      Set<ResponseType> types,
      Set<String> scopes,
      ResponseTarget reply) {
    Optional<Set<Prompt>> prompts = parameters.one("prompt").map(Prompt::parse).orElse(Optional.of(Set.of()));
    if (prompts.isEmpty()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "prompt has a value that cannot be followed");
    }
    Optional<String> maxAge = parameters.one("max_age");
    if (maxAge.filter(age -> !SECONDS.matcher(age).matches()).isPresent()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "max_age is not a number of seconds");
    }
    boolean isOpenId = scopes.contains(Scopes.OPENID);
    return claims(request, client, parameters, isOpenId)
        .then(
            claims ->
                subject(request, client, parameters, claims)
                    .then(
                        subject ->
                            Result.accepted(
                                new AuthorizationRequest(
                                    request.realm().name(),
                                    client.id(),
                                    reply,
                                    types,
                                    new AuthorizationRequest.Wanted(
                                        scopes,
                                        parameters.resources(),
                                        parameters.one("nonce").filter(n -> isOpenId),
                                        claims),
                                    new AuthorizationRequest.CodeBinding(
                                        parameters.one("code_challenge").filter(c -> types.contains(ResponseType.CODE)),
                                        parameters.one("dpop_jkt")),
                                    new AuthorizationRequest.Authentication(
                                        acr(client, parameters, claims),
                                        prompts.get(),
                                        maxAge
                                            .map(Long::parseLong)
                                            .map(Duration::ofSeconds)
                                            .or(() -> client.config().requests().defaultMaxAge()),
                                        subject,
                                        isNewLogin(prompts.get(), maxAge)),
                                    new AuthorizationRequest.LoginPage(
                                        parameters.one("login_hint"),
                                        parameters.one("ui_locales").map(l -> List.of(l.split(" "))).orElse(List.of())),
                                    clock.instant(),
                                    AuthorizationRequest.Once.NOT))));
  }

  /** A max_age of 0 means prompt=login (OpenID Connect Core 3.1.2.1). */
  private static boolean isNewLogin(Set<Prompt> prompts, Optional<String> maxAge) {
    return prompts.contains(Prompt.LOGIN)
        || prompts.contains(Prompt.SELECT_ACCOUNT)
        || maxAge.filter(age -> Long.parseLong(age) == 0).isPresent();
  }

  private static Result<Optional<ClaimsParameter>, OAuthError> claims(
      RealmRequest request, Client client, RequestParameters parameters, boolean isOpenId) {
    Optional<String> json = parameters.one("claims").filter(c -> isOpenId);
    return json.isEmpty()
        ? Result.accepted(Optional.empty())
        : ClaimsParameter.permitted(json.get(), request.idp().oauth(), client)
            .then(claims -> Result.accepted(Optional.of(claims)));
  }

  /** The person whom the client demands. If the request names one in two ways, both must agree. */
  private Result<Optional<String>, OAuthError> subject(
      RealmRequest request, Client client, RequestParameters parameters, Optional<ClaimsParameter> claims) {
    Optional<String> asked = claims.flatMap(ClaimsParameter::subject);
    Optional<String> hint = parameters.one("id_token_hint");
    if (hint.isEmpty()) {
      return Result.accepted(asked);
    }
    return hints
        .subject(request, client, hint.get())
        .then(
            subject ->
                asked.filter(other -> !other.equals(subject)).isPresent()
                    ? OAuthError.refused(Code.INVALID_REQUEST, "id_token_hint and claims name different people")
                    : Result.accepted(Optional.of(subject)));
  }

  /** The claim takes precedence over the parameter, because it is more expressive. */
  private static AcrValues acr(Client client, RequestParameters parameters, Optional<ClaimsParameter> claims) {
    Optional<ClaimsParameter> claim = claims.filter(c -> !c.acr().isEmpty());
    if (claim.isPresent()) {
      return new AcrValues(claim.get().acr(), claim.get().acrEssential());
    }
    return new AcrValues(
        parameters
            .one("acr_values")
            .map(values -> List.of(values.split(" ")))
            .orElse(client.config().requests().defaultAcrValues()),
        false);
  }
}
