package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realms;
import org.springframework.beans.factory.ObjectProvider;
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
  ConsoleClient consoleClient(ObjectProvider<Node> node) {
    return new ConsoleClient(node.stream().findFirst().flatMap(found -> found.listeners().adminLogin()));
  }

  @Bean
  HistoricalGrants historicalGrants(Realms realms) {
    HistoricalGrants warnings = new HistoricalGrants();
    realms.onChange(warnings);
    return warnings;
  }
}
