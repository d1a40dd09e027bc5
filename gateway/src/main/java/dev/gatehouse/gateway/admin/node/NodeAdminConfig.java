package dev.gatehouse.gateway.admin.node;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminViews;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for the drain of this node. */
@Configuration(proxyBeanMethods = false)
public class NodeAdminConfig {

  @Bean
  NodeEndpoint nodeEndpoint(AdminResource.NodeDrains drains, AdminAudit audit) {
    return new NodeEndpoint(drains, audit);
  }

  @Bean
  AdminViews nodeViews() {
    return new AdminViews(List.of(NodeEndpoint.NodeView.class));
  }
}
