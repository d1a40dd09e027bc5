package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.MetadataPartnerRegistry;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the readers and writers of SAML, and the registry of partners. */
@Configuration(proxyBeanMethods = false)
class SamlConfig {

  @Bean
  SamlReader samlReader() {
    return new StrictSamlReader();
  }

  @Bean
  SamlWriter samlWriter() {
    return new CanonicalSamlWriter();
  }

  @Bean
  MetadataCodec metadataCodec() {
    return new CanonicalMetadataCodec();
  }

  @Bean
  SoapCall soapCalls(OutboundHttp http, SamlReader reader, SamlWriter writer) {
    return new SoapCall(http, reader, writer);
  }

  @Bean
  PartnerRegistry partnerRegistry(
      Realms realms,
      MetadataCodec codec,
      OutboundHttp http,
      Node node,
      AuditLog audit,
      InstantSource time,
      SecureRandom random,
      CountDownLatch listening) {
    return new MetadataPartnerRegistry(
        realms, codec, http, node.data().resolve("metadata"), audit, time, random, listening);
  }
}
