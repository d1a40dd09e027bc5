package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code docs/reference/endpoints.md} lists every address that the code serves, and no other. */
class EndpointsPageTest {

  private static final String PAGE = "endpoints.md";

  /** Where the realm itself stands in place of a path below it. */
  private static final String NO_PATH = "(none)";

  private static final Map<String, Set<String>> METHODS =
      Map.of(
          "get", Set.of("GET"),
          "form", Set.of("GET", "POST"),
          "post", Set.of("POST"),
          "message", Set.of("GET", "POST"),
          "soap", Set.of("POST"));

  private static final Pattern ROUTE =
      Pattern.compile("(?:Route\\.(get|form|post|message|soap)|new Route)\\(\\s*([\\w.]+|\"[^\"]*\")\\s*,(?:\\s*Set\\.of\\(([^)]*)\\))?");

  private static final Pattern HELPER = Pattern.compile("Route (\\w+)\\(String path\\b");
  private static final Pattern SP_ROUTE = Pattern.compile("([\\w.]+(?: \\+ \"[^\"]*\")?), \\w+::(?:handle|(?:register|refresh|key|script)\\b)");
  private static final Pattern BASE = Pattern.compile("@RequestMapping\\(path = \"([^\"]+)\"");
  private static final Pattern METRICS_PATH = Pattern.compile("\"(/[a-z/]+)\"");
  private static final Pattern MAPPING = Pattern.compile("@(Get|Post|Put|Delete|Patch)Mapping\\b(?:\\(\"([^\"]*)\")?");

  @Test
  void everyRouteOfTheIdentityProviderIsListedWithItsMethods() {
    assertThat(listed("idp")).containsExactlyInAnyOrderEntriesOf(routesOfTheIdentityProvider());
  }

  @Test
  void everyPathOfTheServiceProviderIsListed() {
    Set<String> served = new TreeSet<>();
    MainSources sources = MainSources.of("sp", "gateway");
    MainSources.of("sp")
        .files()
        .forEach(
            (type, text) -> {
              Matcher found = SP_ROUTE.matcher(text);
              while (found.find()) {
                served.add(sources.value(found.group(1), type).orElseThrow());
              }
            });
    served.add(sources.value("SpRealm.ARTIFACT_PATH", "").orElseThrow());
    String forwardAuth = sources.value("ForwardAuth.PATH", "").orElseThrow();
    for (Object dialect : ReferenceTable.type("dev.gatehouse.gateway.forwardauth.ForwardAuth$Dialect").getEnumConstants()) {
      served.add(forwardAuth + ((Enum<?>) dialect).name().toLowerCase(Locale.ROOT));
    }
    assertThat(served).hasSizeGreaterThan(20);
    assertThat(listed("sp").keySet()).containsExactlyInAnyOrderElementsOf(served);
  }

  @Test
  void everyOperationOfTheAdministrationIsListedWithItsMethods() {
    Map<String, Set<String>> served = new TreeMap<>();
    MainSources.of("gateway")
        .files()
        .forEach(
            (file, text) -> {
              Matcher base = BASE.matcher(text);
              if (base.find()) {
                Matcher mapping = MAPPING.matcher(text);
                while (mapping.find()) {
                  String below = Optional.ofNullable(mapping.group(2)).orElse("");
                  served
                      .computeIfAbsent(base.group(1) + below, path -> new TreeSet<>())
                      .add(mapping.group(1).toUpperCase(Locale.ROOT));
                }
              }
            });
    assertThat(served).hasSizeGreaterThan(20);
    assertThat(listed("admin")).containsExactlyInAnyOrderEntriesOf(served);
  }

  @Test
  void everyPageOfTheConsoleIsListedWithItsMethods() {
    Map<String, Set<String>> served = new TreeMap<>();
    served.put("/console/login", Set.of("GET", "POST"));
    served.put("/console/login/person", Set.of("GET"));
    served.put("/console/login/callback", Set.of("GET"));
    served.put("/console/set-up", Set.of("GET", "POST"));
    served.put("/console/logout", Set.of("POST"));
    Pattern console = Pattern.compile("@RequestMapping\\(\"(/console[^\"]*)\"");
    MainSources.of("gateway")
        .files()
        .forEach(
            (file, text) -> {
              Matcher base = console.matcher(text);
              if (base.find()) {
                Matcher mapping = MAPPING.matcher(text);
                while (mapping.find()) {
                  served
                      .computeIfAbsent(base.group(1) + Optional.ofNullable(mapping.group(2)).orElse(""), path -> new TreeSet<>())
                      .add(mapping.group(1).toUpperCase(Locale.ROOT));
                }
              }
            });
    assertThat(served).hasSizeGreaterThan(10);
    assertThat(listed("console")).containsExactlyInAnyOrderEntriesOf(served);
  }

  @Test
  void everyPageOfTheConsoleIsListedWithItsRole() {
    Pattern base = Pattern.compile("@RequestMapping\\(\"(/console[^\"]*)\"");
    Pattern role = Pattern.compile(MAPPING.pattern() + "[^;]*?@RequiresRole\\((?:value = )?AdministratorRole\\.(\\w+)(, checksRealms = true)?");
    Map<String, String> checked = new TreeMap<>();
    MainSources.of("gateway")
        .files()
        .forEach(
            (file, text) -> {
              Matcher console = base.matcher(text);
              if (console.find()) {
                Matcher mapping = role.matcher(text);
                while (mapping.find()) {
                  String path = console.group(1) + Optional.ofNullable(mapping.group(2)).orElse("");
                  String where = mapping.group(4) != null ? " in any realm" : path.contains("{realm}") ? "" : " in all realms";
                  checked.put(path, "`" + mapping.group(3).toLowerCase(Locale.ROOT) + "`" + where);
                }
              }
            });
    Map<String, String> listed = new TreeMap<>();
    for (ReferenceTable table : ReferenceTable.in(PAGE, "routes").stream().filter(of -> of.of().equals("console")).toList()) {
      table.rows().stream()
          .filter(row -> !row.get(2).equals("none"))
          .forEach(row -> listed.put(ReferenceTable.codes(row.getFirst()).findFirst().orElseThrow(), row.get(2)));
    }
    assertThat(listed).hasSizeGreaterThan(10).isEqualTo(checked);
  }

  @Test
  void everyOperationOfTheAdministrationIsListedWithItsRole() throws IOException {
    Map<String, String> described = new TreeMap<>();
    JsonNode document = new JsonMapper().readTree(Files.readString(Path.of("src/main/resources/admin/openapi.json")));
    Map<String, String> realms = Map.of("named", "", "all", " in all realms", "any", " in any realm");
    document.get("paths").properties().forEach(
        path ->
            path.getValue().properties().forEach(
                method ->
                    described.put(
                        method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                        "`" + method.getValue().get("x-required-role").asString() + "`"
                            + realms.get(method.getValue().get("x-required-realm").asString()))));
    Map<String, String> listed = new TreeMap<>();
    for (ReferenceTable table : ReferenceTable.in(PAGE, "routes").stream().filter(of -> of.of().equals("admin")).toList()) {
      for (List<String> row : table.rows()) {
        String path = ReferenceTable.codes(row.getFirst()).findFirst().orElseThrow();
        List<String> methods = List.of(row.get(1).split(", "));
        List<String> roles = List.of(row.get(2).split(", "));
        for (int i = 0; i < methods.size(); i++) {
          listed.put(methods.get(i) + " " + path, roles.get(Math.min(i, roles.size() - 1)));
        }
      }
    }
    assertThat(listed).hasSizeGreaterThan(35).isEqualTo(described);
  }

  @Test
  void everyPathOfTheListenerOfMetricsIsListed() {
    Set<String> served = new TreeSet<>();
    MainSources.of("gateway")
        .files()
        .forEach(
            (file, text) -> {
              if (MainSources.type(file).equals("Answer")) {
                METRICS_PATH.matcher(text).results().forEach(found -> served.add(found.group(1)));
              }
            });
    assertThat(served).contains("/metrics");
    assertThat(listed("metrics").keySet()).containsExactlyInAnyOrderElementsOf(served);
  }

  private static Map<String, Set<String>> listed(String of) {
    Map<String, Set<String>> listed = new TreeMap<>();
    for (ReferenceTable table : ReferenceTable.in(PAGE, "routes")) {
      if (table.of().equals(of)) {
        for (List<String> row : table.rows()) {
          String path = row.getFirst().equals(NO_PATH) ? "" : ReferenceTable.codes(row.getFirst()).findFirst().orElseThrow();
          Set<String> methods = new TreeSet<>(List.of(row.get(1).split(", ")));
          assertThat(listed.put(path, methods)).as(table.place() + ": " + path + " stands twice").isNull();
        }
      }
    }
    return listed;
  }

  private static Map<String, Set<String>> routesOfTheIdentityProvider() {
    MainSources sources = MainSources.of("idp");
    Map<String, Set<String>> routes = new TreeMap<>();
    sources
        .files()
        .forEach(
            (file, text) -> {
              String type = MainSources.type(file);
              Matcher route = ROUTE.matcher(text);
              while (!type.equals("Route") && route.find()) {
                Set<String> methods =
                    route.group(1) == null
                        ? methods(Optional.ofNullable(route.group(3)).orElse(""))
                        : METHODS.getOrDefault(route.group(1), Set.of());
                if (route.group(2).equals("path")) {
                  Matcher helper = HELPER.matcher(text);
                  assertThat(helper.find()).as(file + ": the method that makes a route of a path").isTrue();
                  Matcher call = Pattern.compile("\\b" + helper.group(1) + "\\(([\\w.]+),").matcher(text);
                  while (call.find()) {
                    sources.value(call.group(1), type).ifPresent(path -> routes.put(path, methods));
                  }
                } else {
                  Optional<String> path = sources.value(route.group(2), type);
                  assertThat(path).as(file + ": " + route.group()).isPresent();
                  routes.put(path.orElseThrow(), methods);
                }
              }
            });
    assertThat(routes).hasSizeGreaterThan(30);
    return routes;
  }

  /** Of the arguments of {@code Set.of}. */
  private static Set<String> methods(String arguments) {
    return new TreeSet<>(List.of(arguments.replaceAll("[\"\\s]", "").split(",")));
  }
}
