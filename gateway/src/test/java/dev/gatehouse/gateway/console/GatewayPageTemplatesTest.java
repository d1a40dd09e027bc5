package dev.gatehouse.gateway.console;

import dev.gatehouse.common.page.PageTemplatesContract;

/** The templates and texts of the gateway: those of the console, and error pages. */
final class GatewayPageTemplatesTest extends PageTemplatesContract {
  GatewayPageTemplatesTest() {
    super("gateway");
  }
}
