package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.LoginSteps;
import dev.gatehouse.idp.authn.PasswordContract;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.oauth.Cors;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import dev.gatehouse.idp.oauth.proof.DpopProofs;
import dev.gatehouse.idp.oidc.IdTokens;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Assembles the endpoints of this package. */
public final class TokenConfig {

  private TokenConfig() {}

  /** The services for issued codes and tokens. */
  public record Tokens(
      Codes codes,
      Authorizations authorizations,
      AccessTokens accessTokens,
      RefreshTokens refreshTokens,
      Revocations revocations,
      PresentedTokens shown) {}

  public static List<Route> routes(
      ClientAuthentications authentications,
      DpopProofs proofs,
      Tokens tokens,
      IdTokens idTokens,
      IdpSessions sessions,
      PasswordContract passwords,
      LoginSteps steps,
      DeviceCodeGrant.Pending devices,
      OAuthReplies replies,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    Authorizations authorizations = tokens.authorizations();
    RefreshRotation rotation = new RefreshRotation(authorizations, tokens.refreshTokens(), clock);
    List<Grant> grants =
        List.of(
            new AuthorizationCodeGrant(tokens.codes(), authorizations, tokens.revocations(), clock),
            new RefreshTokenGrant(tokens.refreshTokens(), rotation, authorizations, sessions),
            new ClientCredentialsGrant(),
            new DeviceCodeGrant(devices, authorizations),
            new PasswordGrant(passwords, steps, clock, random));
    TokenIssue issue =
        new TokenIssue(
            tokens.accessTokens(), idTokens, authorizations, rotation, tokens.revocations(), audit, clock);
    Endpoint token = new TokenEndpoint(authentications, proofs, grants, issue, replies);
    Endpoint revoke =
        new RevokeEndpoint(
            authentications, tokens.accessTokens(), tokens.refreshTokens(), authorizations, audit, replies);
    return List.of(
        forPages(TokenEndpoint.PATH, token, replies),
        forPages(RevokeEndpoint.PATH, revoke, replies),
        Route.post(
            IntrospectEndpoint.PATH,
            replies.guarded(
                new IntrospectEndpoint(
                    authentications, tokens.accessTokens(), tokens.refreshTokens(), authorizations, replies))),
        Route.form(
            TokenInfoEndpoint.PATH, replies.guarded(new TokenInfoEndpoint(tokens.shown(), replies, clock))));
  }

  /** Also called by pages of public clients. */
  private static Route forPages(String path, Endpoint endpoint, OAuthReplies replies) {
    return new Route(
        path, Set.of("POST", "OPTIONS"), Route.FORM_BYTES, Cors.preflighted(replies.guarded(endpoint)));
  }
}
