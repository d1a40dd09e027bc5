package dev.gatehouse.gateway;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.jose.DpopNonces;
import dev.gatehouse.common.jose.DpopProofs;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Node;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.gateway.admin.AdministeredCache;
import dev.gatehouse.gateway.bearer.AccessTokens;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.fill.FormFillDecisions;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.netty.GatewayServer;
import dev.gatehouse.gateway.traffic.BufferBudget;
import dev.gatehouse.gateway.traffic.DirectMemoryPlan;
import dev.gatehouse.gateway.traffic.GatewayLimits;
import dev.gatehouse.gateway.traffic.MaintenanceSwitches;
import dev.gatehouse.gateway.traffic.MemoryReserve;
import dev.gatehouse.gateway.traffic.Protection;
import dev.gatehouse.gateway.upstream.AdministeredUpstreams;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.local.LocalSignOn;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import dev.gatehouse.sp.secret.AppSecrets;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessions;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Assembles the gateway's beans, for nodes with the role gateway or sp. */
@Configuration(proxyBeanMethods = false)
public class GatewayAssembly {

  @Bean
  AccessTokens gatewayAccessTokens(
      OpenIdProviders providers, ProviderCalls calls, Stores stores, SealingKey sealing, InstantSource time) {
    DpopProofs proofs = new DpopProofs(stores.replayCache(), new DpopNonces(sealing, time), time);
    return new AccessTokens(providers, calls, proofs, time);
  }

  @Bean
  BufferBudget connectionBuffers(DirectMemoryPlan plan, MeterRegistry registry) {
    BufferBudget buffers = new BufferBudget(plan.buffers(), GatewayServer::usedBuffers);
    Gauge.builder("gatehouse.gateway.buffers.used", buffers, BufferBudget::used).baseUnit("bytes").register(registry);
    Gauge.builder("gatehouse.gateway.buffers.max", buffers, BufferBudget::most).baseUnit("bytes").register(registry);
    return buffers;
  }

  @Bean
  MemoryReserve memoryReserve(Node node, DirectMemoryPlan plan, BufferBudget buffers) {
    return MemoryReserve.ofThisProcess(node.gateway().memoryReserve(), plan, buffers);
  }

  @Bean
  FormFillDecisions formFills(AppSecrets secrets, AppSessions sessions, InstantSource time) {
    return new FormFillDecisions(secrets, sessions.passwords(), time);
  }

  @Bean
  IdentityTokens gatewayIdentityTokens(KeyRings keys, InstantSource time, RandomGenerator random) {
    return new IdentityTokens(keys, time, random);
  }

  @Bean
  AdminResource.AppServers adminUpstreams(GatewayServer server) {
    return new AdministeredUpstreams(server.upstreams());
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
  MaintenanceSwitches maintenanceSwitches(Node node) {
    boolean stored = node.storage() == Node.Storage.EMBEDDED;
    return new MaintenanceSwitches(stored ? Optional.of(node.data().resolve("maintenance")) : Optional.empty());
  }

  @Bean
  ResponseCache responseCache(Node node, DirectMemoryPlan plan) {
    return new ResponseCache(node.gateway().cacheMemory(), plan.cacheBodies());
  }

  @Bean
  AdminResource.Responses adminResponses(ResponseCache cache, MeterRegistry registry) {
    FunctionCounter.builder("gatehouse.gateway.cache.hits", cache, c -> c.stats("").hits()).register(registry);
    FunctionCounter.builder("gatehouse.gateway.cache.misses", cache, c -> c.stats("").misses()).register(registry);
    FunctionCounter.builder("gatehouse.gateway.cache.stored", cache, c -> c.stats("").stored()).register(registry);
    FunctionCounter.builder("gatehouse.gateway.cache.evicted", cache, c -> c.stats("").evicted()).register(registry);
    Gauge.builder("gatehouse.gateway.cache.bytes", cache, ResponseCache::weight).register(registry);
    return new AdministeredCache(cache);
  }

  @Bean
  GatewayServer gatewayServer(
      Node node,
      Realms realms,
      ServiceProvider serviceProvider,
      AppSessionCache sessions,
      AccessTokens tokens,
      LocalSignOn signOn,
      FormFillDecisions fills,
      IdentityTokens identityTokens,
      ResponseCache cache,
      Pages pages,
      AuditLog audit,
      InstantSource time,
      RandomGenerator random,
      MeterRegistry registry,
      MemoryReserve memory,
      MaintenanceSwitches maintenance,
      BufferBudget buffers) {
    return new GatewayServer(
        node, realms, serviceProvider, sessions, tokens, signOn, fills, identityTokens, cache, pages, audit, time, random,
        registry, GatewayLimits.of(node.gateway().limits()), new Protection(memory, maintenance, buffers));
  }
}
