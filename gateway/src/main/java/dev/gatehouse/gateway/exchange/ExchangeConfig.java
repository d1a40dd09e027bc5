package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.cache.CacheScope;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.fill.FormFillDecisions;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.refusal.TrafficGuard;
import dev.gatehouse.gateway.route.Routes;
import dev.gatehouse.gateway.traffic.DirectMemoryPlan;
import dev.gatehouse.gateway.upstream.Upstreams;
import dev.gatehouse.sp.secret.AppSecrets;
import dev.gatehouse.sp.session.AppSessions;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The services of an exchange. */
@Configuration(proxyBeanMethods = false)
@Import({AuditRateLimit.class, ExchangeServices.class, Refusals.class, RequestParser.class, TrafficGuard.class})
public class ExchangeConfig {

  @Bean
  FormFillDecisions formFills(AppSecrets secrets, AppSessions sessions, InstantSource time) {
    return new FormFillDecisions(secrets, sessions.passwords(), time);
  }

  @Bean
  ResponseCache responseCache(Node node, DirectMemoryPlan plan) {
    return new ResponseCache(node.gateway().cacheMemory(), plan.cacheBodies());
  }

  /** The routes, which change before the cache drops the responses of former routes. */
  @Bean
  public Routes routes(Realms realms, Node node, Upstreams upstreams, ResponseCache cache) {
    Routes routes = new Routes(realms, node.roles().contains(Role.GATEWAY), upstreams);
    realms.onChange(all -> cache.keepOnly(CacheScope.of(all)));
    return routes;
  }
}
