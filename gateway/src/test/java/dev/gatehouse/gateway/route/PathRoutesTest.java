package dev.gatehouse.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SECURITY-CASES 73: a path that some server reads as another route's is nobody's; all others keep their route. */
class PathRoutesTest {

  private static final Realm REALM =
      TestRealms.change(TestRealms.demo())
          .spUrls("http://app.localhost")
          .routes(
              route("rest", "/"),
              route("manager", "/manager/"),
              route("long", "/app/administration/users/"),
              route("account", "/accounts/{account}/"),
              route("admin", "/accounts/administrator/"),
              route("odd", "/a:b/v1./"),
              route("tilde", "/backup~1/"))
          .realm();

  private static final VirtualHost SITE = RouteTable.of(List.of(REALM), true).site("app.localhost").orElseThrow();

  private static dev.gatehouse.common.realm.GatewayConfig.RouteConfig route(String name, String path) {
    return TestRealms.route(name, path, URI.create("http://127.0.0.1:1"), new Access.Public());
  }

  private static RequestPath normalised(String path) {
    byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
    return RequestPath.of(bytes, 0, bytes.length).orElseThrow();
  }

  private static String found(RequestPath normalised) {
    return switch (SITE.find(SITE.origins().iterator().next(), normalised, "GET")) {
      case Match.Found(Route route) -> route.name();
      case Match.Ambiguous two -> "ambiguous";
      case Match other -> other.toString();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "/, rest", "/x, rest", "/x., rest", "/x%20, rest", "/page:1, rest", "/c++, rest", "/report~1, rest", "/~manager/, rest",
    "/manager, manager", "/manager/x., manager", "/manager/a:b, manager", "/manager/x~1, manager", "/managers./, rest",
    "/manager/%C3%A4, manager", "/x/.../y, ambiguous", "/x/manager./, rest",
    "/manager., ambiguous", "/manager%2E%2E/x, ambiguous", "/manager%20, ambiguous", "/manager%E2%80%83/, ambiguous",
    "/manager:x/, ambiguous", "/manager::$INDEX_ALLOCATION/, ambiguous", "/MANAGE~1, ambiguous", "/m~1/x, ambiguous",
    "/MA12EF~1/, ambiguous", "/manager~/, rest", "/manager~x/, rest", "/mana%C2%ADger/, ambiguous", "/%EF%BC%ADanager/, ambiguous",
    "/app/administration/users/, long", "/app/admini~1/users/, ambiguous", "/APP./ADMINI~1/, ambiguous",
    "/app/administration./users, ambiguous", "/app/administration/u~1, ambiguous", "/app/administration/other, rest",
    "/accounts/alice/, account", "/accounts/alice.b/, account", "/accounts/a%40b/, account", "/accounts/c++/, account",
    "/accounts/2026-01-01T10:00/, account", "/accounts/alice./, ambiguous", "/accounts/alice%20/, ambiguous",
    "/accounts/alice::$DATA/, ambiguous", "/accounts/administrator/, admin", "/accounts/ADMINI~1/, ambiguous",
    "/accounts/administrator./, ambiguous", "/accounts/alice/x., account",
    "/a:b/v1./x, odd", "/a:b/v1/x, ambiguous", "/a/v1./, ambiguous", "/backup~1/x, tilde", "/backup~2/x, ambiguous",
    "/c/project/+/123, rest", "/c/project/+/123/4/src/+/a.java, rest", "/+, rest", "/x/++/, rest", "/manager/+/x, manager",
    "/+/manager/x, ambiguous", "/+/+/manager/, ambiguous", "/app/+/administration/users/, ambiguous", "/accounts/+/x, ambiguous",
    "/c/project/+%20/1, ambiguous", "/c/project/%20/1, ambiguous", "/manager+/, ambiguous"
  })
  void everyPathHasOneRouteOrNone(String path, String route) {
    assertThat(found(normalised(path))).isEqualTo(route);
  }

  /** What is simple has no second look, and needs none. */
  @Test
  void aSimplePathIsFoundAsOneThatIsLookedAtClosely() {
    String[] parts = {"a", "A", "z9", ".", "..", "a.", ".a", "+", ":", "~1", "-_", "%41", "%2e", ";x", "", "manager", "app", "accounts"};
    Random random = new Random(5);
    int simple = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder path = new StringBuilder();
      for (int segments = random.nextInt(4); segments >= 0; segments--) {
        path.append('/').append(parts[random.nextInt(parts.length)]).append(random.nextBoolean() ? "" : parts[random.nextInt(parts.length)]);
      }
      byte[] bytes = path.toString().getBytes(StandardCharsets.ISO_8859_1);
      Optional<RequestPath> known = RequestPath.of(bytes, 0, bytes.length);
      if (known.isPresent() && known.get().simple()) {
        simple++;
        String value = known.get().value();
        assertThat(value).isEqualTo(path.toString()).isEqualTo(value.toLowerCase(Locale.ROOT));
        assertThat(LooseReading.isPlain(value)).as(value).isTrue();
        assertThat(found(known.get())).isEqualTo(found(new RequestPath(value, value)));
      }
    }
    assertThat(simple).isGreaterThan(500);
  }
}
