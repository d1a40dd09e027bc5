package dev.gatehouse.sp.login;

import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRoutes;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beginning of a login, and the way back to the page that required it. */
@Configuration(proxyBeanMethods = false)
@Import({
  Challenge.class,
  DevicePage.class,
  DiscoveryEndpoint.class,
  IdentityProviderChoice.class,
  IdentityProviderList.class,
  LoginEndpoint.class,
  PendingRequests.class,
  ReplayEndpoint.class,
  ReturnRedirect.class,
  SamlLoginStart.class,
  SavedRequests.class,
  TicketEndpoint.class
})
public class LoginConfig {

  private static final String HELD = "spHeldRequests";

  @Bean(name = HELD, defaultCandidate = false)
  ArtifactMap held(Stores stores, InstantSource time, RandomGenerator random) {
    return new ArtifactMap(stores, "sp-artifact", time, random);
  }

  @Bean
  HeldRequests heldAuthnRequests(@Qualifier(HELD) ArtifactMap held, Node node, SamlWriter writer, Refusals refusals) {
    return new HeldRequests(held, node.artifactIndex(), writer, refusals);
  }

  @Bean(defaultCandidate = false)
  ArtifactResolution spArtifactResolution(
      SamlReader reader,
      SamlWriter writer,
      @Qualifier(HELD) ArtifactMap held,
      InstantSource time,
      RandomGenerator random) {
    return new ArtifactResolution(reader, writer, held, time, random);
  }

  @Bean
  ArtifactResolutionEndpoint artifactResolutionEndpoint(
      @Qualifier("spArtifactResolution") ArtifactResolution resolution,
      PartnerRegistry partners,
      KeyRings keyRings,
      Node node,
      Refusals refusals) {
    return new ArtifactResolutionEndpoint(resolution, partners, keyRings, node.artifactIndex(), refusals);
  }

  @Bean
  SpRoutes loginRoutes(
      LoginEndpoint login, DiscoveryEndpoint discovery, TicketEndpoint ticket, ReplayEndpoint replay, DevicePage device) {
    return new SpRoutes(
        Map.of(
            LoginEndpoint.PATH, login::handle,
            DiscoveryEndpoint.PATH, discovery::handle,
            DevicePage.PATH, device::handle,
            DevicePage.SCRIPT, device::script,
            SpPaths.PREFIX + "ticket", ticket::handle,
            SpPaths.REPLAY, replay::handle));
  }
}
