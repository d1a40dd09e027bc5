package dev.gatehouse.gateway.admin.analytics;

import dev.gatehouse.common.analytics.collect.Analytics;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminViews;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for analytics. */
@Configuration(proxyBeanMethods = false)
public class AnalyticsAdminConfig {

  @Bean
  AnalyticsEndpoint analyticsEndpoint(Analytics analytics, Realms realms, InstantSource time) {
    return new AnalyticsEndpoint(analytics, realms, time);
  }

  @Bean
  AdminViews analyticsViews() {
    return new AdminViews(
        List.of(
            AnalyticsView.class, AnalyticsView.LineView.class, AnalyticsView.PointView.class, AnalyticsView.Figures.class,
            PatternView.class, PatternView.EvidenceView.class, PatternView.Patterns.class));
  }
}
