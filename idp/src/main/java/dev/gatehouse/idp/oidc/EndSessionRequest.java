package dev.gatehouse.idp.oidc;

import java.util.List;
import java.util.Optional;

/**
 * What a client's request for a logout came to, once every parameter has been checked.
 *
 * @param clientId of who asked, as far as it said so
 * @param returnTo one of its post-logout redirect URIs with its state
 * @param subject whom its id_token_hint means; empty without one
 * @param uiLocales in what languages the client wants its person spoken to, the best first
 */
record EndSessionRequest(
    String realm,
    Optional<String> clientId,
    Optional<String> returnTo,
    Optional<String> subject,
    List<String> uiLocales) {}
