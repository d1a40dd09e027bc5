package dev.gatehouse.sp.acs;

import dev.gatehouse.common.backchannel.ArtifactResolver;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRoutes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The consumption of assertions: from the Response to the session. */
@Configuration(proxyBeanMethods = false)
@Import({
  AppSessionOpening.class,
  AssertedPassword.class,
  AssertionConsumerServiceEndpoint.class,
  LinkEndpoint.class,
  LinkPage.class,
  Linking.class,
  LoginCompletion.class,
  LoginConsumption.class,
  SavedLogins.class,
  ResponseValidator.class,
  SamlSessionOpening.class,
  SignOnRefusals.class
})
public class AcsConfig {

  @Bean
  DroppedValues droppedValues(MeterRegistry meters) {
    return new DroppedValues(
        Counter.builder("gatehouse.sp.values.dropped")
            .description("Values of attributes that an identity provider may not assert, or that are not accepted")
            .register(meters));
  }

  @Bean
  ResponseReader responseReader(
      SamlReader reader,
      PartnerRegistry partners,
      SoapCall calls,
      ReplayCache marks,
      KeyRings keyRings,
      InstantSource time,
      RandomGenerator random) {
    ArtifactResolver resolver = new ArtifactResolver(partners, calls, marks, time, random);
    return new ResponseReader(reader, resolver, partners, keyRings);
  }

  @Bean
  SpRoutes acsRoutes(AssertionConsumerServiceEndpoint acs, LinkEndpoint link) {
    return new SpRoutes(Map.of(SpPaths.PREFIX + "saml/acs", acs::handle, LinkEndpoint.PATH, link::handle));
  }
}
