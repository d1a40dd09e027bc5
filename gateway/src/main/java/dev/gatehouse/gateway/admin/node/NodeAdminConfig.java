package dev.gatehouse.gateway.admin.node;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.otp.replica.OtpOverview;
import dev.gatehouse.common.postgres.LiveNodes;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import java.util.Optional;
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
  NodesEndpoint nodesEndpoint(ObjectProvider<LiveNodes> nodes, AdminAudit audit) {
    return new NodesEndpoint(Optional.ofNullable(nodes.getIfAvailable()), audit);
  }

  @Bean
  OtpServersEndpoint otpServersEndpoint(ObjectProvider<OtpOverview.Source> source) {
    return new OtpServersEndpoint(Optional.ofNullable(source.getIfAvailable()));
  }
}
