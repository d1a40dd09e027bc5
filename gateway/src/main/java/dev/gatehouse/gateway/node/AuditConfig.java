package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.space.SpaceWatch;
import java.time.InstantSource;
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
        : AuditSearch.of(new AuditIndex(auditing.directory(), segments, log, auditing.searchable(), time, space::isLow));
  }

  @Bean
  AuditFollowers auditFollowers(Node node, JsonLinesAuditLog log, AuditSegments segments, InstantSource time) {
    return new AuditFollowers(node.audit(), log, segments, time);
  }
}
