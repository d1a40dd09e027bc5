package dev.gatehouse.gateway;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.postgres.SharedSwitches;
import dev.gatehouse.gateway.admin.route.AdministeredCache;
import dev.gatehouse.gateway.authn.AuthnConfig;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.effect.EffectConfig;
import dev.gatehouse.gateway.exchange.ExchangeConfig;
import dev.gatehouse.gateway.netty.NettyConfig;
import dev.gatehouse.gateway.traffic.TrafficConfig;
import dev.gatehouse.gateway.upstream.AdministeredUpstreams;
import dev.gatehouse.gateway.upstream.Upstreams;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Assembles the gateway, for nodes with the role gateway or sp. */
@Configuration(proxyBeanMethods = false)
@Import({AuthnConfig.class, EffectConfig.class, ExchangeConfig.class, NettyConfig.class, TrafficConfig.class})
public class GatewayAssembly {

  @Bean
  AdminResource.AppServers adminUpstreams(Upstreams upstreams, ObjectProvider<SharedSwitches> shared) {
    return new AdministeredUpstreams(upstreams, Optional.ofNullable(shared.getIfAvailable()));
  }

  @Bean
  AdminResource.Responses adminResponses(ResponseCache cache, MeterRegistry registry) {
    FunctionCounter.builder("gatehouse.gateway.cache.hits", cache, c -> c.stats("").hits())
        .description("Requests that the cache answered").register(registry);
    FunctionCounter.builder("gatehouse.gateway.cache.misses", cache, c -> c.stats("").misses())
        .description("Requests of cacheable routes that went to the app").register(registry);
    FunctionCounter.builder("gatehouse.gateway.cache.stored", cache, c -> c.stats("").stored())
        .description("Responses that were stored").register(registry);
    FunctionCounter.builder("gatehouse.gateway.cache.evicted", cache, c -> c.stats("").evicted())
        .description("Stored responses that were removed for lack of memory").register(registry);
    Gauge.builder("gatehouse.gateway.cache.bytes", cache, ResponseCache::weight)
        .description("Size of stored responses").register(registry);
    Gauge.builder("gatehouse.gateway.cache.unread.bytes", cache, c -> c.unread().bytes())
        .description("Size of bodies from the cache that clients have not taken yet, each counted once").register(registry);
    FunctionCounter.builder("gatehouse.gateway.cache.unread.ended", cache, c -> c.unread().ended())
        .description("Responses from the cache that ended because clients had not taken too many removed bodies").register(registry);
    return new AdministeredCache(cache);
  }
}
