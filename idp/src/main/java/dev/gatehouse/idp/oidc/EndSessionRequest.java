package dev.gatehouse.idp.oidc;

import java.util.List;
import java.util.Optional;

/**
 * A client's logout request, after all its parameters were checked.
 *
 * @param clientId the requesting client, if the request names it
 * @param returnTo one of its post-logout redirect URIs with its state
 * @param subject the person of its id_token_hint; empty without a hint
 * @param uiLocales the languages that the client wants for the pages, the best first
 */
record EndSessionRequest(
    String realm,
    Optional<String> clientId,
    Optional<String> returnTo,
    Optional<String> subject,
    List<String> uiLocales) {

  EndSessionRequest {
    uiLocales = List.copyOf(uiLocales);
  }
}
