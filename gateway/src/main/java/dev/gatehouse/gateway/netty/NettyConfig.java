package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.ListenerConnections;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.traffic.BufferBudget;
import dev.gatehouse.gateway.traffic.DirectMemoryPlan;
import dev.gatehouse.gateway.upstream.AppTimers;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import dev.gatehouse.gateway.upstream.Upstreams;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The server, and the limits of its connections. */
@Configuration(proxyBeanMethods = false)
@Import(GatewayServer.class)
public class NettyConfig {

  @Bean
  NodeLimits gatewayLimits(Node node) {
    return Descriptors.fit(node.gateway().limits(), ListenerConnections.left());
  }

  @Bean
  HeadLimits headLimits(NodeLimits limits) {
    return HeadLimits.of(limits.messages());
  }

  @Bean
  Upstreams upstreams(NodeLimits limits, Node node, MetricFamilies metrics) {
    int most = node.gateway().labelValues();
    Upstreams upstreams = new Upstreams(UpstreamTimeouts.of(limits), AppTimers.of(metrics, most));
    upstreams.publish(metrics, most);
    return upstreams;
  }

  @Bean
  BufferBudget connectionBuffers(DirectMemoryPlan plan, MeterRegistry registry) {
    BufferBudget buffers = new BufferBudget(plan.buffers(), GatewayServer::usedBuffers);
    Gauge.builder("gatehouse.gateway.buffers.used", buffers, BufferBudget::used)
        .description("Direct memory that client connections hold").baseUnit("bytes").register(registry);
    Gauge.builder("gatehouse.gateway.buffers.max", buffers, BufferBudget::most)
        .description("Limit of the direct memory that client connections hold").baseUnit("bytes").register(registry);
    return buffers;
  }
}
