package dev.gatehouse.sp.nameid;

import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.common.nameid.ManageNameIdSender;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRoutes;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The profile for the management of NameIDs. */
@Configuration(proxyBeanMethods = false)
@Import({LinkChanges.class, LinksResource.class})
public class NameIdConfig {

  @Bean
  ManageNameIdSender nameIdSending(
      SamlWriter writer, SoapCall calls, Stores stores, Pages pages, InstantSource time, RandomGenerator random) {
    return new ManageNameIdSender(writer, calls, stores, "sp-nameid", pages, time, random);
  }

  @Bean(defaultCandidate = false)
  ManageNameIdReceiver nameIdReception(
      SamlReader reader,
      SamlWriter writer,
      ManageNameIdSender sending,
      ReplayCache marks,
      Pages pages,
      InstantSource time,
      RandomGenerator random) {
    return new ManageNameIdReceiver(reader, writer, sending, marks, pages, time, random);
  }

  @Bean
  SpRoutes nameIdRoutes(
      @Qualifier("nameIdReception") ManageNameIdReceiver reception, LinkChanges changes, Refusals refusals) {
    NameIdEndpoint endpoint = new NameIdEndpoint(reception, changes, refusals);
    return new SpRoutes(
        Map.of(NameIdEndpoint.PATH, endpoint::handle, NameIdEndpoint.SOAP_PATH, endpoint::handle));
  }
}
