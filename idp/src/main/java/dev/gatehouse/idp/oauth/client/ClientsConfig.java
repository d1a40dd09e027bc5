package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.realm.Realms;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The clients of a realm, and their authentication. */
@Configuration(proxyBeanMethods = false)
@Import({
  CertificateProofs.class,
  ClientAssertions.class,
  ClientAuthentications.class,
  ClientKeys.class,
  ClientLogos.class,
  ClientSecrets.class,
  ClientSignatures.class,
  Clients.class
})
public class ClientsConfig {

  @Bean
  HistoricalGrants historicalGrants(Realms realms) {
    HistoricalGrants warnings = new HistoricalGrants();
    realms.onChange(warnings);
    return warnings;
  }
}
