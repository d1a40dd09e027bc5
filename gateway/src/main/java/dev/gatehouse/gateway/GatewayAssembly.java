package dev.gatehouse.gateway;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Node;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.netty.GatewayServer;
import dev.gatehouse.gateway.netty.Limits;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.session.AppSessionCache;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The gateway's beans, for nodes with the role gateway or sp. */
@Configuration(proxyBeanMethods = false)
public class GatewayAssembly {

  @Bean
  GatewayServer gatewayServer(
      Node node,
      Realms realms,
      ServiceProvider serviceProvider,
      AppSessionCache sessions,
      Pages pages,
      AuditLog audit,
      InstantSource time,
      RandomGenerator random,
      MeterRegistry meters) {
    return new GatewayServer(
        node, realms, serviceProvider, sessions, pages, audit, time, random, meters, Limits.standard());
  }
}
