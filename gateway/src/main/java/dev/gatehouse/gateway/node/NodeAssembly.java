package dev.gatehouse.gateway.node;

import dev.gatehouse.gateway.pkcs11.TokenHealth;
import dev.gatehouse.gateway.tracing.SpanExportConfig;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The beans of every node, regardless of its roles: the implementations of the interfaces of common. The configuration,
 * the audit log, time and randomness are created before this context.
 */
@Configuration(proxyBeanMethods = false)
@Import({
  AnalyticsConfig.class,
  AuditConfig.class,
  DirectoryConfig.class,
  FederationConfig.class,
  HealthConfig.class,
  TokenHealth.class,
  KeyConfig.class,
  MailConfig.class,
  MetricsConfig.class,
  OutboundConfig.class,
  PageConfig.class,
  PersonDataConfig.class,
  SamlConfig.class,
  SpanExportConfig.class,
  StorageConfig.class,
  StorageHealth.class
})
public class NodeAssembly {}
