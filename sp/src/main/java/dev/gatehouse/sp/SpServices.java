package dev.gatehouse.sp;

import dev.gatehouse.sp.acs.AcsConfig;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.device.DeviceConfig;
import dev.gatehouse.sp.edge.FormRedirect;
import dev.gatehouse.sp.edge.FrontChannel;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.inspection.InspectionConfig;
import dev.gatehouse.sp.link.LinkConfig;
import dev.gatehouse.sp.local.LocalConfig;
import dev.gatehouse.sp.login.LoginConfig;
import dev.gatehouse.sp.login.LoginStart;
import dev.gatehouse.sp.login.SamlLoginStart;
import dev.gatehouse.sp.logout.LogoutConfig;
import dev.gatehouse.sp.logout.LogoutStart;
import dev.gatehouse.sp.logout.ProviderLogout;
import dev.gatehouse.sp.metadata.MetadataConfig;
import dev.gatehouse.sp.nameid.NameIdConfig;
import dev.gatehouse.sp.oidc.OidcConfig;
import dev.gatehouse.sp.oidc.OpenIdLoginStart;
import dev.gatehouse.sp.oidc.OpenIdProviderLogout;
import dev.gatehouse.sp.provider.ProvidersConfig;
import dev.gatehouse.sp.secret.SecretConfig;
import dev.gatehouse.sp.session.SessionConfig;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/**
 * The service provider. Expects one bean of each type that all roles share; the source of randomness must be a
 * SecureRandom.
 */
@Configuration(proxyBeanMethods = false)
@Import({
  AcsConfig.class,
  DeviceConfig.class,
  FormRedirect.class,
  FormerStores.class,
  FrontChannel.class,
  InspectionConfig.class,
  LinkConfig.class,
  LocalConfig.class,
  LoginConfig.class,
  LogoutConfig.class,
  MetadataConfig.class,
  NameIdConfig.class,
  OidcConfig.class,
  ProvidersConfig.class,
  Refusals.class,
  ReplayCheck.class,
  RoutedServiceProvider.class,
  SecretConfig.class,
  SessionConfig.class
})
public class SpServices {

  /** Begins each login by the protocol of its provider. */
  @Bean
  @Primary
  LoginStart loginStart(OpenIdLoginStart openId, SamlLoginStart saml) {
    return (realm, request, loginRequest, chosen) ->
        (realm.openIdProvider(chosen).isPresent() ? openId : saml).begin(realm, request, loginRequest, chosen);
  }

  /** Continues each logout by the protocol of its provider. */
  @Bean
  @Primary
  ProviderLogout providerLogout(OpenIdProviderLogout openId, LogoutStart saml) {
    return (realm, request, ended) ->
        (realm.openIdProvider(ended.login().identityProvider()).isPresent() ? openId : saml).ask(realm, request, ended);
  }
}
