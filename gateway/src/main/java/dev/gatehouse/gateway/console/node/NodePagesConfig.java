package dev.gatehouse.gateway.console.node;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the console's page of all nodes. */
@Configuration(proxyBeanMethods = false)
@Import(NodePages.class)
public class NodePagesConfig {}
