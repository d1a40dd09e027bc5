package dev.gatehouse.gateway.admin.analytics;

import dev.gatehouse.common.analytics.collect.Analytics;
import dev.gatehouse.common.realm.Realms;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for analytics. */
@Configuration(proxyBeanMethods = false)
public class AnalyticsAdminConfig {

  @Bean
  AnalyticsEndpoint analyticsEndpoint(Analytics analytics, Realms realms, InstantSource time) {
    return new AnalyticsEndpoint(analytics, realms, time);
  }
}
