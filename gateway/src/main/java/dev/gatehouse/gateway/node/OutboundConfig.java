package dev.gatehouse.gateway.node;

import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.OutboundTrust;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.node.Node;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the clients for outbound HTTP. */
@Configuration(proxyBeanMethods = false)
class OutboundConfig {

  @Bean
  OutboundHttp outbound(Node node) {
    return new OutboundHttp(
        OutboundHttp.Limits.USUAL, OutboundTrust.with(node.outbound().authorities()), node.listeners()::isAdministration);
  }

  @Bean
  PublicHttp publicHttp(Node node) {
    return new PublicHttp(
        address -> node.outbound().allow().stream().anyMatch(block -> block.contains(address)),
        OutboundTrust.with(node.outbound().authorities()),
        node.listeners()::isAdministration);
  }
}
