package dev.gatehouse.gateway.console.route;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the console's pages for servers of apps, stored responses and maintenance. */
@Configuration(proxyBeanMethods = false)
@Import({CachePages.class, MaintenancePages.class, UpstreamPages.class})
public class RoutePagesConfig {}
