package dev.gatehouse.gateway.traffic;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.gateway.node.SharedState;
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
  Rates rates(ObjectProvider<SharedState> shared) {
    SharedState state = shared.getIfAvailable();
    return state == null ? new Rates() : new Rates(state.nodes()::servingApps);
  }

  @Bean
  MaintenanceSwitches maintenanceSwitches(Node node, ObjectProvider<SharedState> shared) {
    SharedState state = shared.getIfAvailable();
    if (state != null) {
      return new MaintenanceSwitches(state.switches());
    }
    boolean stored = node.storage() != Node.Storage.VOLATILE;
    return new MaintenanceSwitches(stored ? Optional.of(node.data().resolve("maintenance")) : Optional.empty());
  }
}
