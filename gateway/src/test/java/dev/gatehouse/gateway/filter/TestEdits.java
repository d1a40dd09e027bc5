package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.RewriteConfig;
import dev.gatehouse.common.realm.RewriteConfig.Paths;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.ResponseParser;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a route makes of a response's fields, without a network. */
public final class TestEdits {

  private TestEdits() {}

  public static List<String> fields(RouteConfig route, String scheme, Map<String, String> fields) {
    StringBuilder head = new StringBuilder("HTTP/1.1 200 OK\r\n");
    fields.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    ResponseHead parsed = (ResponseHead) new ResponseParser(HeadLimits.standard()).parse(bytes, false);
    HeadBuffer out = new HeadBuffer();
    Origin origin = new Origin(scheme, "portal.example", scheme.equals("https") ? 443 : 80);
    ResponseFieldsFilter.write(parsed.fields(), RouteEdits.of(route).response(origin, false, List.of()), out);
    return List.of(out.text().split("\r\n"));
  }

  /** What becomes of that Location of an app at this address. */
  public static String location(URI app, Optional<Paths> paths, String value) {
    RouteConfig route =
        TestRoutes.withRewrite(TestRealms.route("app", "/", app, new Access.Public()), new RewriteConfig(paths, true, true));
    return fields(route, "http", Map.of("Location", value)).getFirst().substring("Location: ".length());
  }
}
