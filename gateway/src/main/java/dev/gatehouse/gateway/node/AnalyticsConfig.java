package dev.gatehouse.gateway.node;

import dev.gatehouse.common.analytics.collect.Analytics;
import dev.gatehouse.common.analytics.collect.AnalyticsFollower;
import dev.gatehouse.common.analytics.collect.CacheCounts;
import dev.gatehouse.common.analytics.collect.GeoFile;
import dev.gatehouse.common.analytics.collect.Places;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcPatterns;
import dev.gatehouse.common.db.JdbcRollups;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.throttle.Turns;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the analytics of the node. */
@Configuration(proxyBeanMethods = false)
class AnalyticsConfig {

  @Bean
  Analytics.Sources analyticsSources(
      JsonLinesAuditLog log, AuditSegments segments, MetricFamilies metrics, PrometheusMeterRegistry meters, Places places,
      SpaceWatch space, Turns turns) {
    return new Analytics.Sources(log, segments, metrics, () -> cacheCounts(meters), places, space::isLow, turns);
  }

  @Bean
  Places places(Node node, InstantSource time) {
    Optional<Places> file = node.gateway().analytics().places().map(path -> new GeoFile(path, time));
    return file.orElseGet(Places::none);
  }

  @Bean(destroyMethod = "")
  Analytics analytics(Analytics.Sources sources, Database database, Node node, ObjectProvider<SharedState> shared, InstantSource time) {
    SharedState state = shared.getIfAvailable();
    return new Analytics(
        state == null ? node::number : state.nodes()::number, sources, new JdbcRollups(database), new JdbcPatterns(database), node.gateway().analytics(), time);
  }

  /** Closes the analytics, too. */
  @Bean
  AnalyticsFollower analyticsFollower(Analytics analytics) {
    return new AnalyticsFollower(analytics);
  }

  @Bean
  LoginsOfPerson loginsOfPerson(Analytics analytics) {
    return new LoginsOfPerson(analytics);
  }

  private static CacheCounts cacheCounts(MeterRegistry meters) {
    return new CacheCounts(count(meters, "gatehouse.gateway.cache.hits"), count(meters, "gatehouse.gateway.cache.misses"));
  }

  private static long count(MeterRegistry meters, String name) {
    return Optional.ofNullable(meters.find(name).functionCounter()).map(FunctionCounter::count).map(Math::round).orElse(0L);
  }
}
