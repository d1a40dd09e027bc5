package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.SignatureTimes;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.store.SessionCount;
import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the registry of metrics and the gauges that belong to no package. */
@Configuration(proxyBeanMethods = false)
class MetricsConfig {

  @Bean
  PrometheusMeterRegistry meters() {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    meters.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time")).meterFilter(renamed("system.cpu.count", "system.cpus"));
    cpuTime(meters);
    new JvmMemoryMetrics().bindTo(meters);
    new JvmThreadMetrics().bindTo(meters);
    new ProcessorMetrics().bindTo(meters);
    new FileDescriptorMetrics().bindTo(meters);
    new UptimeMetrics().bindTo(meters);
    return meters;
  }

  /** Prometheus has names that no metric should have: promtool finds "count" at the end of a gauge. */
  private static MeterFilter renamed(String name, String better) {
    return new MeterFilter() {
      @Override
      public Meter.Id map(Meter.Id id) {
        return id.getName().equals(name) ? id.withName(better) : id;
      }
    };
  }

  /** In seconds and by the name that all clients of Prometheus have for it; Micrometer's is in nanoseconds. */
  private static void cpuTime(PrometheusMeterRegistry meters) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder("process.cpu", system, bean -> bean.getProcessCpuTime() / 1e9)
          .baseUnit("seconds")
          .description("Time that the processors worked for the process")
          .register(meters);
    }
  }

  @Bean
  MetricFamilies families(PrometheusMeterRegistry meters) {
    MetricFamilies families = new MetricFamilies(family -> meters.getPrometheusRegistry().register(new PublishedFamily(family)));
    SignatureTimes.publish(families);
    return families;
  }

  /** Counts what the audit log records. */
  @Bean
  AuditMetrics auditMetrics(JsonLinesAuditLog audit, Node node, PrometheusMeterRegistry meters, MetricFamilies families) {
    AuditMetrics counting = new AuditMetrics(meters, node.gateway().labelValues());
    audit.observedBy(counting);
    audit.publish(families);
    return counting;
  }

  /** Sessions of the roles that the node has. */
  @Bean
  SampleFamily sessionsByKind(ObjectProvider<SessionCount> counts, MetricFamilies families) {
    return SessionCount.publish(counts.stream().toList(), families);
  }

  @Bean
  JvmGcMetrics garbageCollection(PrometheusMeterRegistry meters) {
    JvmGcMetrics metrics = new JvmGcMetrics();
    metrics.bindTo(meters);
    return metrics;
  }

  /** Gauges for alerts: partners with a signing certificate that expires soon, which the audit log reports as well. */
  @Bean
  List<Gauge> partnersWithEndingCertificates(
      Realms realms, PartnerRegistry partners, InstantSource time, PrometheusMeterRegistry meters) {
    return Stream.of(30, 7, 1, 0)
        .map(
            days ->
                Gauge.builder("gatehouse.partners.certificates.ending", () -> ending(realms, partners, time, days))
                    .description("Partners with a signing certificate that ends within so many days")
                    .tag("days", String.valueOf(days))
                    .register(meters))
        .toList();
  }

  private static long ending(Realms realms, PartnerRegistry partners, InstantSource time, int days) {
    Instant horizon = time.instant().plus(Duration.ofDays(days));
    return realms.all().stream()
        .flatMap(realm -> partners.all(realm.name()).stream())
        .filter(partner -> partner.certificatesEnd().filter(end -> !end.isAfter(horizon)).isPresent())
        .count();
  }
}
