package dev.gatehouse.sp.session;

import dev.gatehouse.common.store.SessionCount;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The sessions of the gateway. */
@Configuration(proxyBeanMethods = false)
@Import({AppSessionAccounts.class, AppSessionAdmin.class, AppSessions.class, LogoutMarks.class})
public class SessionConfig {

  @Bean
  SessionCount appSessionCount(AppSessions sessions) {
    return new SessionCount("app", sessions.store()::count);
  }
}
