package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.idp.otp.visit.Visits;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** RADIUS of the node. */
@Configuration(proxyBeanMethods = false)
public class RadiusConfiguration {

  /** The sockets are opened when the node serves, and closed with the context. */
  @Bean
  RadiusServer radiusServer(
      Node node, Realms realms, Visits passcodes, AuditLog audit, RefusalLog refusals, InstantSource time,
      Optional<MeterRegistry> meters, Optional<MetricFamilies> families) {
    return new RadiusServer(node, realms, passcodes::of, audit, refusals, time, meters, families);
  }
}
