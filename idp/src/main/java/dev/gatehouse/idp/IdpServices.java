package dev.gatehouse.idp;

import dev.gatehouse.idp.account.AccountConfig;
import dev.gatehouse.idp.admin.AdminConfig;
import dev.gatehouse.idp.authn.AuthnConfig;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.certificate.CertificateTickets;
import dev.gatehouse.idp.consent.ConsentConfig;
import dev.gatehouse.idp.device.SessionKeyConfig;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.oauth.authorize.AuthorizeConfig;
import dev.gatehouse.idp.oauth.client.ClientsConfig;
import dev.gatehouse.idp.oauth.device.DeviceConfig;
import dev.gatehouse.idp.oauth.registration.RegistrationConfig;
import dev.gatehouse.idp.oauth.token.TokenConfig;
import dev.gatehouse.idp.oidc.OidcConfig;
import dev.gatehouse.idp.otp.OtpConfig;
import dev.gatehouse.idp.otp.agent.AgentsConfig;
import dev.gatehouse.idp.otp.home.HomeConfig;
import dev.gatehouse.idp.otp.seed.SeedImport;
import dev.gatehouse.idp.otp.visit.VisitConfig;
import dev.gatehouse.idp.passkey.PasskeyConfig;
import dev.gatehouse.idp.reset.ResetConfig;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.artifact.ArtifactConfig;
import dev.gatehouse.idp.saml.metadata.MetadataConfig;
import dev.gatehouse.idp.saml.nameid.NameIdConfig;
import dev.gatehouse.idp.saml.slo.SloConfig;
import dev.gatehouse.idp.saml.sso.SsoConfig;
import dev.gatehouse.idp.session.SessionConfig;
import dev.gatehouse.idp.totp.TotpConfig;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The part of the identity provider's context that is independent of the web, so that administration finds its
 * resources there too. For nodes with the role {@code idp}. Expects one bean of each type that all roles share.
 */
@Configuration(proxyBeanMethods = false)
@Import({
  AccountConfig.class,
  AdminConfig.class,
  AgentsConfig.class,
  ArtifactConfig.class,
  AuthnConfig.class,
  AuthorizeConfig.class,
  CertificateLogins.class,
  CertificateTickets.class,
  ClientsConfig.class,
  ConsentConfig.class,
  DeviceConfig.class,
  HomeConfig.class,
  MetadataConfig.class,
  NameIdConfig.class,
  OidcConfig.class,
  OtpConfig.class,
  Refusals.class,
  PasskeyConfig.class,
  RegistrationConfig.class,
  ResetConfig.class,
  SessionConfig.class,
  SessionKeyConfig.class,
  SloConfig.class,
  SeedImport.class,
  SpPartners.class,
  SsoConfig.class,
  TokenConfig.class,
  TotpConfig.class,
  VisitConfig.class
})
public class IdpServices {}
