package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oidc.IdTokenReader.Hint;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Reads logout requests (OpenID Connect RP-Initiated Logout 1.0, section 2) and carries them, sealed, in one of our
 * addresses: nothing has to be stored, and nobody else can create or read one.
 */
final class EndSessionRequests {

  /** The reason for a refusal, for audit and log. */
  enum Refusal {
    HINT_NOT_OURS,
    HINT_OF_ANOTHER_CLIENT,
    CLIENT_UNKNOWN,
    POST_LOGOUT_REDIRECT_URI_UNKNOWN,
    STATE_TOO_LONG
  }

  /** The result of reading a request. */
  sealed interface Reading {
    record Accepted(EndSessionRequest asked) implements Reading {}

    record Refused(Refusal refusal) implements Reading {}
  }

  /** A longer state would make an address that servers truncate. */
  private static final int LONGEST_STATE = 2_000;

  private final IdTokenReader hints;
  private final Clients clients;
  private final EndSessionSeal seal;

  EndSessionRequests(
      IdTokenReader hints, Clients clients, SealingKey sealing, InstantSource clock, RandomGenerator random) {
    this.hints = hints;
    this.clients = clients;
    this.seal = new EndSessionSeal(sealing, clock, random);
  }

  /**
   * Refused if the hint is not one of our tokens or names another client, or if the address to return to is not the
   * client's.
   */
  Reading read(RealmRequest request, Parameters parameters) {
    Optional<String> token = parameters.one("id_token_hint").filter(text -> !text.isEmpty());
    if (token.isEmpty()) {
      return asked(request, parameters, Optional.empty());
    }
    return hints
        .read(request, token.get())
        .map(hint -> asked(request, parameters, Optional.of(hint)))
        .orElseGet(() -> new Reading.Refused(Refusal.HINT_NOT_OURS));
  }

  private Reading asked(RealmRequest request, Parameters parameters, Optional<Hint> hint) {
    Optional<String> named = parameters.one("client_id").filter(text -> !text.isEmpty());
    if (named.isPresent() && hint.filter(known -> !known.clientId().equals(named.get())).isPresent()) {
      return new Reading.Refused(Refusal.HINT_OF_ANOTHER_CLIENT);
    }
    Optional<String> clientId = named.or(() -> hint.map(Hint::clientId));
    Optional<Client> client = clientId.flatMap(id -> clients.find(request.realm(), id));
    if (clientId.isPresent() && client.isEmpty()) {
      return new Reading.Refused(Refusal.CLIENT_UNKNOWN);
    }
    if (parameters.one("state").filter(state -> state.length() > LONGEST_STATE).isPresent()) {
      return new Reading.Refused(Refusal.STATE_TOO_LONG);
    }
    // If the client is unknown, the browser is not redirected anywhere (section 3): the person stays here.
    Optional<String> returnTo =
        parameters.one("post_logout_redirect_uri").filter(uri -> !uri.isEmpty() && client.isPresent());
    if (returnTo.isPresent() && !client.get().config().logout().redirectUris().contains(returnTo.get())) {
      return new Reading.Refused(Refusal.POST_LOGOUT_REDIRECT_URI_UNKNOWN);
    }
    return new Reading.Accepted(
        new EndSessionRequest(
            request.realm().name(),
            clientId,
            returnTo.map(uri -> withState(uri, parameters.one("state"))),
            hint.map(Hint::subject),
            parameters.one("ui_locales").map(tags -> List.of(tags.split(" "))).orElse(List.of())));
  }

  private static String withState(String uri, Optional<String> state) {
    return state
        .map(value -> uri + (uri.indexOf('?') < 0 ? "?" : "&") + "state=" + encode(value))
        .orElse(uri);
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** As {@link EndSessionSeal#seal}. */
  String seal(EndSessionRequest asked) {
    return seal.seal(asked);
  }

  /** Opens a sealed request; empty if we did not seal it for this realm within the last ten minutes. */
  Optional<EndSessionRequest> open(RealmRequest request, String text) {
    return seal.open(request.realm().name(), text);
  }
}
