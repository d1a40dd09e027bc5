package dev.gatehouse.gateway.tracing;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the tracing of requests, which is off unless a collector is configured. */
@Configuration(proxyBeanMethods = false)
public class SpanExportConfig {

  @Bean
  NodeTracing nodeTracing(Node node, MeterRegistry meters, InstantSource time) {
    return NodeTracing.of(node, meters, time);
  }

  @Bean
  Tracing tracing(NodeTracing node) {
    return node.tracing();
  }
}
