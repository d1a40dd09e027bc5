package dev.gatehouse.sp.oidc;

import dev.gatehouse.sp.edge.SpRoutes;
import dev.gatehouse.sp.idtoken.IdTokenValidator;
import dev.gatehouse.sp.idtoken.LogoutTokenValidator;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The relying party of OpenID Connect. */
@Configuration(proxyBeanMethods = false)
@Import({
  BackChannelLogoutEndpoint.class,
  CallbackEndpoint.class,
  CodeRedemption.class,
  FrontChannelLogoutEndpoint.class,
  IdTokenValidator.class,
  IdentityKeysEndpoint.class,
  LoggedOutEndpoint.class,
  LoginInspection.class,
  LogoutTokenValidator.class,
  OpenIdLoginStart.class,
  OpenIdLogouts.class,
  OpenIdProviderLogout.class,
  OpenIdRefusals.class,
  OpenIdSessionOpening.class,
  OwnKeysEndpoint.class,
  SavedIdTokens.class
})
public class OidcConfig {

  @Bean
  SpRoutes openIdRoutes(
      CallbackEndpoint callback,
      LoggedOutEndpoint loggedOut,
      BackChannelLogoutEndpoint backChannel,
      FrontChannelLogoutEndpoint frontChannel,
      OwnKeysEndpoint keys,
      IdentityKeysEndpoint identityKeys) {
    return new SpRoutes(
        Map.of(
            CallbackEndpoint.PATH, callback::handle,
            CallbackEndpoint.PATH + "/", callback::handle,
            LoggedOutEndpoint.PATH, loggedOut::handle,
            BackChannelLogoutEndpoint.PATH, backChannel::handle,
            FrontChannelLogoutEndpoint.PATH, frontChannel::handle,
            OwnKeysEndpoint.PATH, keys::handle,
            IdentityKeysEndpoint.PATH, identityKeys::handle));
  }
}
