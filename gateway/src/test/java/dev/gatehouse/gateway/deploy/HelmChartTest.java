package dev.gatehouse.gateway.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The chart in {@code docker/helm}: checked by Helm, by kubeconform, and by our own reader of configurations. */
@Timeout(180)
@SuppressWarnings("unchecked") // YAML is maps and lists.
class HelmChartTest {

  private static final Path CHART = Path.of("../docker/helm/gatehouse").toAbsolutePath().normalize();
  private static final String EVERYTHING = CHART.resolve("ci/everything-values.yaml").toString();
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern REFERENCE = Pattern.compile("#/\\$defs/([^\"]+)\"");

  @TempDir Path folder;

  @Test
  void helmFindsNothing() throws IOException, InterruptedException {
    assertThat(Command.run(folder, helm(), "lint", "--strict", "--kube-version", "1.37.0", CHART.toString(), "-f", EVERYTHING))
        .satisfies(run -> assertThat(run.output()).contains("0 chart(s) failed"))
        .extracting(Command::exit).isEqualTo(0);
  }

  @ParameterizedTest
  @CsvSource({"1.37.0, true", "1.37.0, false", "1.27.0, true"})
  void everyDocumentIsAsKubernetesWantsIt(String version, boolean everything) throws IOException, InterruptedException {
    Path documents = Files.writeString(folder.resolve("all.yaml"), rendered(everything ? List.of("-f", EVERYTHING) : List.of()));
    Command run = kubeconform(version, documents);
    assertThat(run.output()).contains("Invalid: 0, Errors: 0").doesNotContain("Valid: 0,");
    assertThat(run.exit()).isZero();
    // The check sees a mistake.
    Files.writeString(documents, Files.readString(documents).replace("minReadySeconds:", "minReadySecond:"));
    assertThat(kubeconform(version, documents).exit()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"idp", "gateway"})
  void aNodeReadsItsConfiguration(String role) throws Exception {
    List<Map<String, Object>> documents = documents(List.of("-f", EVERYTHING));
    Path configuration = Files.createDirectories(folder.resolve("configuration"));
    for (Map.Entry<String, Object> file : map(of(documents, "ConfigMap", "gh-gatehouse-" + role), "data").entrySet()) {
      // The certificate comes from a Secret, which is not here.
      Files.writeString(
          configuration.resolve(file.getKey()),
          file.getValue().toString().replaceAll("(?m)^ *(certificate|privateKey): /run.*\\n", ""));
    }
    Path realms = Files.createDirectories(configuration.resolve("realms"));
    for (Map.Entry<String, Object> file : map(of(documents, "ConfigMap", "gh-gatehouse-realms"), "data").entrySet()) {
      Files.writeString(realms.resolve(file.getKey()), file.getValue().toString());
    }
    ConfigurationFiles files =
        new ConfigurationFiles(
            configuration,
            Map.of(
                "LDAP_PASSWORD", "secret", "POSTGRES_PASSWORD", "secret", "VALKEY_PASSWORD", "secret", "GATEHOUSE_MASTER_KEY",
                Base64.getEncoder().encodeToString(new byte[32])));
    assertThat(files.check().problems()).isEmpty();
    // All pods of a role have this file: NodeNumbersTest shows that any number of them may start.
    Node node = files.load().node();
    assertThat(node.storage()).isEqualTo(Node.Storage.SHARED);
    assertThat(node.index()).isEmpty();
    assertThat(Files.readString(configuration.resolve("gatehouse.yaml"))).contains("drain: 15s", "connections: 20000");
  }

  @Test
  void podsAreHardenedAndHaveTimeToEnd() throws IOException, InterruptedException {
    List<Map<String, Object>> documents = documents(List.of("-f", EVERYTHING, "--set", "shutdown.drainSeconds=60"));
    for (String role : List.of("idp", "gateway")) {
      Map<String, Object> pod = map(map(map(of(documents, "Deployment", "gh-gatehouse-" + role), "spec"), "template"), "spec");
      // 8 s until balancers know, the drain, 15 s to close stores.
      assertThat(pod).containsEntry("terminationGracePeriodSeconds", 8 + 60 + 15).containsEntry("automountServiceAccountToken", false);
      assertThat(map(pod, "securityContext")).containsEntry("runAsNonRoot", true).containsEntry("runAsUser", 10_001);
      Map<String, Object> container = ((List<Map<String, Object>>) Objects.requireNonNull(pod.get("containers"))).getFirst();
      assertThat(map(container, "securityContext"))
          .containsEntry("readOnlyRootFilesystem", true)
          .containsEntry("allowPrivilegeEscalation", false)
          .containsEntry("capabilities", Map.of("drop", List.of("ALL")));
      assertThat(String.valueOf(container.get("image"))).startsWith("registry.example/gatehouse@sha256:");
      // Secrets are files: no value and no reference is in the environment.
      assertThat(String.valueOf(container.get("env")))
          .contains("LDAP_PASSWORD_FILE", "/run/secrets/gatehouse/LDAP_PASSWORD", "{name=MALLOC_ARENA_MAX, value=4}")
          .doesNotContain("valueFrom");
    }
    assertThat(String.valueOf(map(of(documents, "ConfigMap", "gh-gatehouse-idp"), "data").get("gatehouse.yaml"))).contains("drain: 60s");
  }

  @Test
  void metricsAreForWhoScrapes() throws IOException, InterruptedException {
    List<Map<String, Object>> documents = documents(List.of("-f", EVERYTHING));
    Map<String, Object> policy = map(of(documents, "NetworkPolicy", "gh-gatehouse-idp"), "spec");
    assertThat(String.valueOf(policy.get("ingress"))).contains("port=metrics}], from=[{namespaceSelector");
    Map<String, Object> monitor = map(of(documents, "ServiceMonitor", "gh-gatehouse"), "spec");
    Map<String, Object> wanted = map(map(monitor, "selector"), "matchLabels");
    assertThat(map(map(of(documents, "Service", "gh-gatehouse-idp-metrics"), "metadata"), "labels")).containsAllEntriesOf(wanted);
    assertThat(String.valueOf(monitor.get("endpoints"))).contains("port=metrics", "path=/metrics");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      idp.replica=3                            | replica
      node.roles={idp}                         | node
      environment.GATEHOUSE_JAVA_OPTS=-Xmx1g   | write javaOptions
      environment.lower=x                      | lower
      secrets.password.secretName=x            | secrets
      image.digest=latest                      | digest
      idp.enabled=false,gateway.enabled=false  | nothing would run
      networkPolicy.metricsFrom=null           | who may scrape
      node.index=1                             | no two nodes may have the same
      gateway.node.index=0                     | each pod takes a free one
      node.storage=embedded                    | sessions of its own
      realmsConfigMap=x,realms.demo.brand.displayName=y | one of them has the realms
      """)
  void wrongValuesAreSaid(String set, String said) throws IOException, InterruptedException {
    Command run = Command.run(folder, Map.of(), helmTemplate(List.of("--set", set)));
    assertThat(run.exit()).isNotZero();
    assertThat(run.output()).contains(said);
  }

  private static String helm() {
    return Command.tool("helm-v3.22.0").resolve("helm").toString();
  }

  private static List<String> helmTemplate(List<String> arguments) {
    return Stream.concat(Stream.of(helm(), "template", "gh", CHART.toString(), "--kube-version", "1.37.0"), arguments.stream()).toList();
  }

  private String rendered(List<String> arguments) throws IOException, InterruptedException {
    Command run = Command.run(folder, Map.of(), helmTemplate(arguments));
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  private List<Map<String, Object>> documents(List<String> arguments) throws IOException, InterruptedException {
    List<Map<String, Object>> all = new ArrayList<>();
    new Yaml().loadAll(rendered(arguments)).forEach(each -> all.add((Map<String, Object>) each));
    return all;
  }

  private static Map<String, Object> of(List<Map<String, Object>> documents, String kind, String name) {
    return documents.stream()
        .filter(each -> kind.equals(each.get("kind")) && name.equals(map(each, "metadata").get("name")))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> map(Map<String, Object> parent, String key) {
    return (Map<String, Object>) Objects.requireNonNull(parent.get(key));
  }

  /** Kubeconform does not read the package's schemas, which refer to one file: each gets the definitions that it names. */
  private Command kubeconform(String version, Path documents) throws IOException, InterruptedException {
    Path schemas = Command.tool("kubernetes-1.37.0").resolve("kubernetes_validate/kubernetes-json-schema/v" + version + "-local-strict");
    Path whole = Files.createDirectories(folder.resolve("schemas-" + version));
    JsonNode definitions = JSON.readTree(Files.readString(schemas.resolve("_definitions.json"))).path("$defs");
    for (String kind :
        List.of("configmap-v1", "deployment-apps-v1", "horizontalpodautoscaler-autoscaling-v2", "networkpolicy-networking-v1",
            "poddisruptionbudget-policy-v1", "service-v1", "serviceaccount-v1")) {
      ObjectNode schema = (ObjectNode) JSON.readTree(Files.readString(schemas.resolve(kind + ".json")));
      schema.remove("$id");
      addNamed(schema.putObject("$defs"), schema.toString(), definitions);
      Files.writeString(whole.resolve(kind + ".json"), schema.toString().replaceAll("\"[^\"]*_definitions\\.json#/", "\"#/"));
    }
    return Command.run(
        folder, Command.tool("kubeconform-v0.8.0").resolve("kubeconform").toString(), "-strict", "-summary",
        // A resource of Prometheus' operator: metricsAreForWhoScrapes looks at it.
        "-skip", "ServiceMonitor", "-schema-location", whole + "/{{ .ResourceKind }}{{ .KindSuffix }}.json", documents.toString());
  }

  private static void addNamed(ObjectNode added, String schema, JsonNode definitions) {
    for (Matcher name = REFERENCE.matcher(schema); name.find(); ) {
      if (!added.has(name.group(1))) {
        JsonNode definition = definitions.path(name.group(1));
        added.set(name.group(1), definition);
        addNamed(added, definition.toString(), definitions);
      }
    }
  }
}
