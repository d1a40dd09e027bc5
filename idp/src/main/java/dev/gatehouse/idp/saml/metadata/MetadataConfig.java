package dev.gatehouse.idp.saml.metadata;

import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The metadata of the identity provider. */
@Configuration(proxyBeanMethods = false)
public class MetadataConfig {

  @Bean
  RouteGroup idpMetadataRoutes(KeyRings keys, MetadataCodec codec, InstantSource clock) {
    return RouteGroup.of(Route.get("saml/metadata", new MetadataEndpoint(keys, codec, clock)));
  }
}
