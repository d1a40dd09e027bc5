package dev.gatehouse.idp.session;

import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.SessionCount;
import dev.gatehouse.common.store.Stores;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Sessions, and the browsers in which people are known. */
@Configuration(proxyBeanMethods = false)
@Import({BoundCookies.class, DeviceChallenges.class, EnabledPeople.class, IdpSessions.class, KnownDevices.class, SessionDevices.class})
public class SessionConfig {

  @Bean
  SessionStore<IdpSession> idpSessionStore(Stores stores) {
    return stores.sessions(IdpSessions.STORE, new IdpSessionCodec(), Expired.KEPT);
  }

  @Bean
  SessionCount idpSessionCount(SessionStore<IdpSession> store) {
    return new SessionCount("idp", store::count);
  }
}
