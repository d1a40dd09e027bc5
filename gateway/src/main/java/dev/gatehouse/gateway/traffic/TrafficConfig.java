package dev.gatehouse.gateway.traffic;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.postgres.LiveNodes;
import dev.gatehouse.common.postgres.SharedSwitches;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The limits that protect the node, and its meters. */
@Configuration(proxyBeanMethods = false)
@Import({GatewayMetrics.class, Protection.class})
public class TrafficConfig {

  @Bean
  MemoryReserve memoryReserve(Node node, DirectMemoryPlan plan, BufferBudget buffers) {
    return MemoryReserve.ofThisProcess(node.gateway().memoryReserve(), plan, buffers);
  }

  /**
   * Out of service while memory is short and new sessions are refused; the node is alive, and still serves existing
   * sessions.
   */
  @Bean("memory")
  HealthIndicator memoryHealth(MemoryReserve memory) {
    return () ->
        (memory.isShort() ? Health.outOfService() : Health.up())
            .withDetail("freeHeapPercent", Math.round(memory.freeHeap() * 100))
            .withDetail("freeDirectPercent", Math.round(memory.freeDirect() * 100))
            .build();
  }

  @Bean
  HeldBodies heldBodies(NodeLimits limits) {
    return HeldBodies.of(limits.messages());
  }

  @Bean
  Rates rates(ObjectProvider<LiveNodes> nodes) {
    LiveNodes all = nodes.getIfAvailable();
    return all == null ? new Rates() : new Rates(all::servingApps);
  }

  @Bean
  MaintenanceSwitches maintenanceSwitches(Node node, ObjectProvider<SharedSwitches> shared) {
    SharedSwitches ofAll = shared.getIfAvailable();
    if (ofAll != null) {
      return new MaintenanceSwitches(ofAll);
    }
    boolean stored = node.storage() != Node.Storage.VOLATILE;
    return new MaintenanceSwitches(stored ? Optional.of(node.data().resolve(MaintenanceSwitches.NAME)) : Optional.empty());
  }
}
