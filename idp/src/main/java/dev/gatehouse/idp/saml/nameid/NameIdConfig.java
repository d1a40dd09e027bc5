package dev.gatehouse.idp.saml.nameid;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.common.nameid.ManageNameIdSender;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.store.ReplayCache;
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
import org.springframework.context.annotation.Import;

/** NameIDs, and the profile for their management. */
@Configuration(proxyBeanMethods = false)
@Import(NameIds.class)
public class NameIdConfig {

  private static final String SENDING = "idpNameIdSending";
  private static final String RECEPTION = "idpNameIdReception";

  @Bean(name = SENDING, defaultCandidate = false)
  ManageNameIdSender sending(
      SamlWriter writer, SoapCall calls, Stores stores, Pages pages, InstantSource clock, RandomGenerator random) {
    return new ManageNameIdSender(writer, calls, stores, "idp-nameid", pages, clock, random);
  }

  @Bean(name = RECEPTION, defaultCandidate = false)
  ManageNameIdReceiver reception(
      SamlReader reader,
      SamlWriter writer,
      @Qualifier(SENDING) ManageNameIdSender sending,
      ReplayCache replay,
      Pages pages,
      InstantSource clock,
      RandomGenerator random) {
    return new ManageNameIdReceiver(reader, writer, sending, replay, pages, clock, random);
  }

  @Bean
  NameIdChanges idpNameIdChanges(
      PersistentNameIds nameIds,
      @Qualifier(SENDING) ManageNameIdSender sending,
      KeyRings keys,
      SpPartners partners,
      AuditLog audit,
      RandomGenerator random) {
    return new NameIdChanges(nameIds, sending, keys, partners, audit, random);
  }

  @Bean
  RouteGroup idpNameIdRoutes(
      @Qualifier(RECEPTION) ManageNameIdReceiver reception, NameIdChanges changes, Refusals refusals) {
    return RouteGroup.of(
        Route.message(NameIdEndpoint.PATH, new NameIdEndpoint(reception, changes, refusals, false)),
        Route.soap(NameIdEndpoint.SOAP_PATH, new NameIdEndpoint(reception, changes, refusals, true)));
  }
}
