package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditArchive;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditVerification;
import dev.gatehouse.common.audit.ConfiguredArchive;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.LogVerifier;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.space.SpaceWatch;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes what follows the audit log. */
@Configuration(proxyBeanMethods = false)
class AuditConfig {

  @Bean
  AuditSegments auditSegments(Node node) {
    return new AuditSegments(node.audit().directory(), node.audit().archive().map(Node.AuditConfig.Archive::to));
  }

  @Bean
  AuditSearch auditSearch(Node node, JsonLinesAuditLog log, AuditSegments segments, InstantSource time, SpaceWatch space) {
    Node.AuditConfig auditing = node.audit();
    return node.storage() == Node.Storage.VOLATILE || auditing.searchable().isZero()
        ? AuditSearch.off()
        : AuditSearch.of(
            new AuditIndex(
                auditing.directory(), segments, log, auditing.searchable(), time, space::isLow, auditing.unsearchable()));
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
