package dev.gatehouse.sp.metadata;

import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRoutes;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The metadata of the service provider. */
@Configuration(proxyBeanMethods = false)
@Import(MetadataEndpoint.class)
public class MetadataConfig {

  @Bean
  SpRoutes metadataRoutes(MetadataEndpoint metadata) {
    return new SpRoutes(Map.of(SpPaths.PREFIX + "saml/metadata", metadata::handle));
  }
}
