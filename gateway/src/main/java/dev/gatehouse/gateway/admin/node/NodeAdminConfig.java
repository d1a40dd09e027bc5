package dev.gatehouse.gateway.admin.node;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminViews;
import dev.gatehouse.gateway.node.SharedState;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints of this node and of all nodes. */
@Configuration(proxyBeanMethods = false)
public class NodeAdminConfig {

  @Bean
  NodeEndpoint nodeEndpoint(AdminResource.NodeDrains drains, AdminAudit audit) {
    return new NodeEndpoint(drains, audit);
  }

  @Bean
  NodesEndpoint nodesEndpoint(ObjectProvider<SharedState> shared) {
    SharedState state = shared.getIfAvailable();
    return new NodesEndpoint(() -> state == null ? List.of() : state.nodes().members());
  }

  @Bean
  AdminViews nodeViews() {
    return new AdminViews(List.of(NodeEndpoint.NodeView.class, NodesEndpoint.NodeList.class, NodesEndpoint.MemberView.class));
  }
}
