package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.authn.PasswordNotice;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.Cors;
import dev.gatehouse.idp.oauth.proof.DpopProofCheck;
import dev.gatehouse.idp.passkey.PasskeyEnrolments;
import java.time.InstantSource;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** Codes, tokens and the endpoints for clients that hold them. */
@Configuration(proxyBeanMethods = false)
@Import({
  AccessTokenIssuer.class,
  AccessTokens.class,
  AuthorizationCodeGrant.class,
  Authorizations.class,
  ClientCredentialsGrant.class,
  Codes.class,
  ConsoleLogins.class,
  DeviceCodeGrant.class,
  DpopProofCheck.class,
  IntrospectEndpoint.class,
  PasswordGrant.class,
  PresentedTokens.class,
  RefreshRotation.class,
  RefreshTokenGrant.class,
  RefreshTokens.class,
  RevokeEndpoint.class,
  TokenEndpoint.class,
  TokenInfoEndpoint.class,
  TokenIssue.class,
  UserInfoEndpoint.class
})
public class TokenConfig {

  @Bean
  SessionStore<Authorization> authorizationStore(Stores stores) {
    return stores.sessions(Authorization.STORE, new AuthorizationCodec());
  }

  @Bean
  SingleUseStore<IssuedCode> codeStore(Stores stores) {
    return stores.singleUse(IssuedCode.STORE, new IssuedCodeCodec());
  }

  @Bean
  SingleUseStore<AccessToken> accessTokenStore(Stores stores) {
    return stores.singleUse(AccessTokens.STORE, new AccessTokenCodec());
  }

  @Bean
  Revocations revocations(Stores stores, InstantSource clock) {
    return new Revocations(
        stores.ends().singleUse(Revocations.STORE, new Revocations.Codec()), stores.tokensNotBefore(), clock);
  }

  /** Ends authorizations and passkeys that began with the old password, and notifies the other roles. */
  @Bean
  @Primary
  PasswordNotice passwordNotice(Authorizations authorizations, PasskeyEnrolments passkeys, PasswordChanges changes) {
    return (context, person) -> {
      authorizations.changed(context, person);
      passkeys.removeWeak(context, person);
      changes.announce(context.realm(), person);
    };
  }

  @Bean
  RouteGroup tokenRoutes(
      TokenEndpoint token,
      RevokeEndpoint revoke,
      IntrospectEndpoint introspect,
      TokenInfoEndpoint info,
      UserInfoEndpoint userInfo,
      OAuthReplies replies) {
    return RouteGroup.of(
        forPages(TokenEndpoint.PATH, token, replies),
        forPages(RevokeEndpoint.PATH, revoke, replies),
        Route.post(IntrospectEndpoint.PATH, replies.guarded(introspect)),
        Route.form(TokenInfoEndpoint.PATH, replies.guarded(info)),
        new Route(
            UserInfoEndpoint.PATH,
            Set.of("GET", "POST", "OPTIONS"),
            Route.FORM_BYTES,
            Cors.preflighted(replies.guarded(userInfo))));
  }

  /** Also called by pages of public clients. */
  private static Route forPages(String path, Endpoint endpoint, OAuthReplies replies) {
    return new Route(
        path, Set.of("POST", "OPTIONS"), Route.FORM_BYTES, Cors.preflighted(replies.guarded(endpoint)));
  }
}
