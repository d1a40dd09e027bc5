package dev.gatehouse.sp.logout;

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
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRoutes;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Single logout, begun here and at identity providers. */
@Configuration(proxyBeanMethods = false)
@Import({
  LogoutEndpoint.class,
  LogoutRequestReception.class,
  LogoutRequestValidator.class,
  LogoutResponseReception.class,
  LogoutStart.class,
  SamlLogouts.class,
  SingleLogoutEndpoint.class,
  SoapLogoutReception.class
})
public class LogoutConfig {

  @Bean(defaultCandidate = false)
  LogoutDelivery appLogoutDelivery(
      Realms realms,
      PartnerRegistry partners,
      KeyRings keyRings,
      SoapCall calls,
      InstantSource time,
      RandomGenerator random) {
    return new SoapLogout(SoapLogout.Side.SP, realms, partners, keyRings, calls, time, random);
  }

  /** LogoutRequests that identity providers have not received yet. */
  @Bean(initMethod = "start", destroyMethod = "close")
  LogoutNotices appLogoutNotices(
      Stores stores, @Qualifier("appLogoutDelivery") LogoutDelivery delivery, AuditLog audit, InstantSource time) {
    return notices(stores, delivery, audit, time);
  }

  /** Like {@link #appLogoutNotices}; the caller starts it. */
  public static LogoutNotices notices(
      Stores stores, LogoutDelivery delivery, AuditLog audit, InstantSource time) {
    return new LogoutNotices(
        stores.due("sp-logout-notices", new JsonCodec<>(LogoutNotice.class)), delivery, (key, result) -> {}, audit, time);
  }

  @Bean
  WaitingLogouts appLogouts(LogoutNotices notices) {
    return new WaitingLogouts("app", notices);
  }

  @Bean
  SpRoutes logoutRoutes(LogoutEndpoint logout, SingleLogoutEndpoint slo) {
    return new SpRoutes(
        Map.of(
            LogoutEndpoint.PATH, logout::handle,
            SpPaths.PREFIX + "saml/slo", slo::handle,
            SpPaths.PREFIX + "saml/slo/soap", slo::handleSoap));
  }
}
