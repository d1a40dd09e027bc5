package dev.gatehouse.gateway.console;

import dev.gatehouse.common.page.PageTemplatesContract;
import java.util.ArrayList;
import java.util.List;

/** The templates and texts of the gateway: those of the console, and error pages. */
final class GatewayPageTemplatesTest extends PageTemplatesContract {
  GatewayPageTemplatesTest() {
    super("gateway");
  }

  @Override
  protected List<String> scripts() {
    List<String> all = new ArrayList<>(super.scripts());
    all.add(SetUpEndpoint.SCRIPT);
    return all;
  }
}
