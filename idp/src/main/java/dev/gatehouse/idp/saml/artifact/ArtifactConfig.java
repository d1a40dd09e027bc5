package dev.gatehouse.idp.saml.artifact;

import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.saml.SpPartners;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The artifact binding, from our side: held messages and their resolution. */
@Configuration(proxyBeanMethods = false)
public class ArtifactConfig {

  private static final String HELD = "idpHeldArtifacts";

  @Bean
  ArtifactNode artifactNode(Node node) {
    return new ArtifactNode(node.artifactIndex());
  }

  @Bean(name = HELD, defaultCandidate = false)
  ArtifactMap held(Stores stores, InstantSource clock, RandomGenerator random) {
    return new ArtifactMap(stores, ArtifactStore.STORE, clock, random);
  }

  @Bean
  ArtifactStore idpArtifactStore(@Qualifier(HELD) ArtifactMap held, ArtifactNode node) {
    return new ArtifactStore(held, node);
  }

  @Bean(defaultCandidate = false)
  ArtifactResolution idpArtifactResolution(
      SamlReader reader,
      SamlWriter writer,
      @Qualifier(HELD) ArtifactMap held,
      InstantSource clock,
      RandomGenerator random) {
    return new ArtifactResolution(reader, writer, held, clock, random);
  }

  @Bean
  RouteGroup idpArtifactRoutes(
      @Qualifier("idpArtifactResolution") ArtifactResolution resolution,
      ArtifactNode node,
      SpPartners partners,
      KeyRings keys,
      Refusals refusals) {
    return RouteGroup.of(
        Route.soap(ArtifactNode.PATH, new ArtifactEndpoint(resolution, node, partners, keys, refusals)));
  }
}
