package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** SECURITY-CASES 56 and 57 for routes by method and with path variables, over real sockets. */
final class PoliciesTest {

  private static RouteConfig open(String name, String path, URI app, Set<String> methods, Rule... rules) {
    List<PolicyConfig> policies = rules.length == 0 ? List.of() : List.of(new PolicyConfig("p", List.of(rules)));
    return TestRoutes.withMethods(TestRealms.route(name, path, app, new Access.Public()), methods).withPolicies(policies);
  }

  private static Realm realm(RawApp app) {
    URI there = URI.create("http://127.0.0.1:" + app.port());
    Rule readers = new Rule("read", Effect.PERMIT, List.of(new Condition.Methods(Set.of("GET"))));
    Rule nobody = new Rule("nobody", Effect.PERMIT, List.of(new Condition.User(new Values(Set.of("x"), Set.of()))));
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            open("get", "/m/", there, Set.of("GET")),
            open("post", "/m/", there, Set.of("POST")),
            open("hidden", "/h/", there, Set.of("GET"), nobody),
            open("read", "/r/", there, Set.of(), readers),
            open("account", "/accounts/{account}/", there, Set.of()),
            open("admin", "/accounts/admin/", there, Set.of(), nobody))
        .realm();
  }

  private static String asked(String method, String path, String... fields) throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello")); TestGateway gateway = TestGateway.of(realm(app)); RawClient client = gateway.connect()) {
      client.send(method + " " + path + " HTTP/1.1\r\nHost: app.localhost\r\n" + String.join("", fields) + "\r\n");
      RawClient.Response answer = client.read(method.equals("HEAD"));
      return answer.status() + " " + gateway.denials() + " " + answer.fields();
    }
  }

  @Test
  void aMethodWithoutARouteIsToldTheOthers() throws IOException {
    assertThat(asked("DELETE", "/m/x")).startsWith("405 [METHOD_NOT_ALLOWED]").contains("Allow: GET, HEAD, POST");
    assertThat(asked("PUT", "/m")).startsWith("405 [METHOD_NOT_ALLOWED]");
  }

  @Test
  void whoMayNotComeLearnsNothingOfMethods() throws IOException {
    assertThat(asked("DELETE", "/h/x")).startsWith("403 [NO_RULE_PERMITS]").doesNotContain("Allow:");
  }

  @Test
  void headIsReadAsGet() throws IOException {
    assertThat(asked("HEAD", "/m/x")).startsWith("200 []");
    assertThat(asked("HEAD", "/r/x")).startsWith("200 []");
  }

  @Test
  void theRealMethodDecidesWhateverFieldsSay() throws IOException {
    for (String field : List.of("X-HTTP-Method-Override", "X_HTTP_Method", "x-method-override")) {
      assertThat(asked("POST", "/r/x", field + ": GET\r\n", "Content-Length: 0\r\n")).startsWith("403 [NO_RULE_PERMITS]");
    }
    assertThat(asked("PROPFIND", "/r/x")).startsWith("403 [NO_RULE_PERMITS]");
    assertThat(asked("POST", "/r/x?_method=GET", "Content-Length: 0\r\n")).startsWith("403 [NO_RULE_PERMITS]");
    assertThat(asked("TRACE", "/r/x")).startsWith("405 [METHOD_REFUSED]");
  }

  @Test
  void aVariableIsWhatEveryReaderSees() throws IOException {
    assertThat(asked("GET", "/accounts/7/list")).startsWith("200 []");
    assertThat(asked("GET", "/accounts/7;x=1/list")).startsWith("400 [PATH_AMBIGUOUS]");
    assertThat(asked("GET", "/accounts/ADMIN/list")).startsWith("400 [PATH_AMBIGUOUS]");
    assertThat(asked("GET", "/accounts/%61dmin/list")).startsWith("403 [NO_RULE_PERMITS]");
    assertThat(asked("GET", "/accounts/7/../admin")).startsWith("403 [NO_RULE_PERMITS]");
    assertThat(asked("GET", "/accounts")).startsWith("404 [ROUTE_NOT_FOUND]");
  }
}
