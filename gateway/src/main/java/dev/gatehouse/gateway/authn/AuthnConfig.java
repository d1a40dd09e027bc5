package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.jose.DpopNonces;
import dev.gatehouse.common.jose.DpopProofs;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.gateway.bearer.AccessTokens;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.signon.SessionUses;
import dev.gatehouse.gateway.signon.VerifiedCertificates;
import dev.gatehouse.gateway.signon.VerifiedPasswords;
import dev.gatehouse.sp.local.LocalSignOn;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The services that authenticate requests. */
@Configuration(proxyBeanMethods = false)
@Import({AuthnServices.class, DeviceChecks.class, IdentityTokens.class, SessionUses.class, VerifiedCertificates.class})
public class AuthnConfig {

  @Bean
  AccessTokens gatewayAccessTokens(
      OpenIdProviders providers, ProviderCalls calls, Stores stores, SealingKey sealing, InstantSource time) {
    DpopProofs proofs = new DpopProofs(stores.replayCache(), new DpopNonces(sealing, time), time);
    return new AccessTokens(providers, calls, proofs, time);
  }

  @Bean
  VerifiedPasswords verifiedPasswords(LocalSignOn signOn, InstantSource time, RandomGenerator random) {
    return new VerifiedPasswords(signOn, time, random);
  }
}
