package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.http.PublicHttp;

/**
 * Where clients come from besides the configuration, and how what they name is reached.
 *
 * @param http for whatever a client named
 */
public record ClientSources(RegisteredClients registered, InitialAccessTokens tokens, PublicHttp http) {}
