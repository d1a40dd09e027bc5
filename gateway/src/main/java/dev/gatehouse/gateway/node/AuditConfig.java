package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditArchive;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditVerification;
import dev.gatehouse.common.audit.ConfiguredArchive;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.LogVerifier;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.space.SpaceWatch;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Makes what follows the audit log. */
@Configuration(proxyBeanMethods = false)
class AuditConfig {

  @Bean
  AuditSegments auditSegments(Node node) {
    return new AuditSegments(node.audit().directory(), node.audit().archive().map(Node.AuditConfig.Archive::to));
  }

  @Bean
  AuditSearch auditSearch(
      Node node, JsonLinesAuditLog log, AuditSegments segments, InstantSource time, SpaceWatch space, ObjectProvider<SharedAudit> shared) {
    Node.AuditConfig auditing = node.audit();
    if (auditing.searchable().isZero()) {
      return AuditSearch.off();
    }
    return switch (node.storage()) {
      case VOLATILE -> AuditSearch.off();
      case SHARED -> shared.getObject().search();
      case EMBEDDED ->
          AuditSearch.of(
              new AuditIndex(
                  auditing.directory(), segments, log, auditing.searchable(), time, space::isLow, auditing.unsearchable()));
    };
  }

  /** Of nodes with a shared database only. */
  @Bean
  @Lazy
  SharedAudit sharedAudit(
      Node node,
      SharedState state,
      JsonLinesAuditLog log,
      AuditSegments segments,
      ConfiguredArchive archive,
      InstantSource time,
      MetricFamilies metrics,
      OtpNode otp) {
    SharedAudit audit = new SharedAudit(node.audit(), state, log, segments, archive, time, otp);
    audit.publish(metrics);
    return audit;
  }

  /** All nodes serve on while one loads its events late. */
  @Bean("auditSearchHealthIndicator")
  HealthIndicator auditSearchHealth(Node node, ObjectProvider<SharedAudit> shared) {
    boolean isShared = node.storage() == Node.Storage.SHARED && !node.audit().searchable().isZero();
    return () -> {
      Optional<String> problem = isShared ? shared.getObject().problem() : Optional.empty();
      return problem.map(text -> Health.status("DEGRADED").withDetail("problem", text).build()).orElseGet(() -> Health.up().build());
    };
  }

  @Bean
  ConfiguredArchive configuredArchive(Node node, JsonLinesAuditLog log, InstantSource time) {
    return new ConfiguredArchive(
        node.audit().archive().map(to -> new AuditArchive(log, node.audit().directory(), to.to(), to.after(), time)));
  }

  /** The keys are read when they are needed: the first start makes them. */
  @Bean
  LogVerifier logVerifier(Node node) {
    return progress -> AuditVerification.verify(NodeAudit.sources(node, NodeAudit.publicKeys(node), List.of()), progress);
  }

  @Bean
  AuditFollowers auditFollowers(Node node, JsonLinesAuditLog log, AuditSegments segments, ConfiguredArchive configured) {
    return new AuditFollowers(node.audit(), log, segments, configured.archive());
  }
}
