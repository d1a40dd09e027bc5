package dev.gatehouse.gateway.tracing;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the tracing of requests, which is off unless a collector is configured. */
@Configuration(proxyBeanMethods = false)
public class SpanExportConfig {

  @Bean
  NodeTracing nodeTracing(Node node, MeterRegistry meters) {
    return NodeTracing.of(node, meters);
  }

  @Bean
  Tracing tracing(NodeTracing node) {
    return node.tracing();
  }
}
