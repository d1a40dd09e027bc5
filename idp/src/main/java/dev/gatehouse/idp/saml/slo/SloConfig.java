package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutNotices;
import dev.gatehouse.common.logout.SoapLogout;
import dev.gatehouse.common.logout.WaitingLogouts;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.saml.SpPartners;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The Single Logout profile, and the logout notices to all participants of a session. */
@Configuration(proxyBeanMethods = false)
@Import({
  FrameEndpoint.class,
  LogoutEndpoint.class,
  LogoutMessages.class,
  LogoutRequestRules.class,
  Logouts.class,
  ParticipantStatuses.class,
  ReceiptEndpoint.class,
  SloEndpoint.class,
  SoapSloEndpoint.class
})
public class SloConfig {

  private static final String NOTICES = "idpLogoutNotices";

  @Bean(defaultCandidate = false)
  LogoutDelivery idpSoapLogout(
      Realms realms, PartnerRegistry registry, KeyRings keys, SoapCall calls, InstantSource clock, RandomGenerator random) {
    return new SoapLogout(SoapLogout.Side.IDP, realms, registry, keys, calls, clock, random);
  }

  @Bean(name = NOTICES, defaultCandidate = false)
  LogoutNotices notices(
      Stores stores,
      @Qualifier("idpLogoutDelivery") LogoutDelivery delivery,
      ParticipantStatuses statuses,
      AuditLog audit,
      InstantSource clock) {
    return new LogoutNotices(
        stores.due("idp-logout-notices", new JsonCodec<>(LogoutNotice.class)),
        delivery,
        statuses::heard,
        audit,
        clock);
  }

  @Bean
  ParticipantNotices idpParticipantNotices(
      @Qualifier(NOTICES) LogoutNotices notices,
      SpPartners partners,
      ClientParticipants clients,
      AuditLog audit,
      InstantSource clock) {
    return new ParticipantNotices(notices, partners, clients, audit, clock);
  }

  @Bean(initMethod = "start")
  SessionExpiry idpSessionExpiry(IdpSessions sessions, @Qualifier(NOTICES) LogoutNotices notices) {
    return new SessionExpiry(sessions, notices);
  }

  @Bean
  WaitingLogouts idpWaitingLogouts(@Qualifier(NOTICES) LogoutNotices notices) {
    return new WaitingLogouts("idp", notices);
  }

  @Bean
  RouteGroup idpLogoutRoutes(
      SloEndpoint slo,
      SoapSloEndpoint soap,
      LogoutEndpoint logout,
      ReceiptEndpoint receipt,
      FrameEndpoint frame) {
    return RouteGroup.of(
        Route.message("saml/slo", slo),
        Route.soap(SoapSloEndpoint.PATH, soap),
        Route.form("logout", logout),
        Route.get("logout/receipt", receipt),
        Route.get("logout/frame", frame));
  }
}
