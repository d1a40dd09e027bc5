package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.http.PublicHttp;

/**
 * The sources of clients besides the configuration, and the HTTP client for URLs that they name.
 *
 * @param http for URLs that a client names
 */
public record ClientSources(RegisteredClients registered, InitialAccessTokens tokens, PublicHttp http) {}
