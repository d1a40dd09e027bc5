package dev.gatehouse.gateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/**
 * A Compose file, as far as {@code docker/nodes/compose.yaml} uses the format; a key that is not known here is an error, so that a new one
 * is not passed over.
 */
record ComposeFile(Path folder, Map<String, Service> services) {

  /**
   * What one container is made from.
   *
   * @param image its image, or the folder from which it is built
   * @param dependsOn each with the condition that it has to meet
   * @param healthcheck the command of its health check; empty for that of its image
   */
  record Service(
      String image, List<String> command, Map<String, String> environment, List<Volume> volumes, Map<String, String> dependsOn,
      List<String> healthcheck, List<String> tmpfs, Isolation isolation) {}

  /** @param source a path that begins with a dot, or the name of a volume */
  record Volume(String source, String target, boolean isReadOnly) {

    boolean isNamed() {
      return !source.startsWith(".");
    }
  }

  record Isolation(boolean isReadOnly, boolean hasNoCapabilities, boolean gainsNoPrivileges) {}

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::\\?[^}]*)?\\}|\\$\\$");

  private static final Set<String> APPLIED =
      Set.of("image", "build", "command", "environment", "volumes", "depends_on", "healthcheck", "tmpfs", "read_only", "cap_drop", "security_opt");

  /** One network namespace is shared as the file says; nothing is published from it, limited or started again by itself. */
  private static final Set<String> NOT_APPLIED = Set.of("network_mode", "ports", "stop_grace_period", "mem_limit", "restart");

  /** @param variables what {@code ${NAME}} stands for */
  @SuppressWarnings("unchecked") // YAML is maps and lists.
  static ComposeFile read(Path file, Map<String, String> variables) throws IOException {
    Map<String, Object> all = new Yaml().load(Files.readString(file));
    Map<String, Service> services = new LinkedHashMap<>();
    ((Map<String, Map<String, Object>>) Objects.requireNonNull(all.get("services")))
        .forEach((name, described) -> services.put(name, service(name, described, variables)));
    return new ComposeFile(Objects.requireNonNull(file.toAbsolutePath().normalize().getParent()), services);
  }

  private static Service service(String name, Map<String, Object> described, Map<String, String> variables) {
    for (String key : described.keySet()) {
      if (!APPLIED.contains(key) && !NOT_APPLIED.contains(key)) {
        throw new IllegalArgumentException("The service " + name + " has the key " + key + ", which this test does not apply");
      }
    }
    String network = String.valueOf(described.getOrDefault("network_mode", "own"));
    if (!network.equals("service:haproxy") && !name.equals("haproxy")) {
      throw new IllegalArgumentException("The service " + name + " has the network " + network + ", not that of haproxy");
    }
    Map<String, String> environment = new LinkedHashMap<>();
    map(described, "environment").forEach((key, value) -> environment.put(key, filledIn(String.valueOf(value), variables)));
    List<String> command = texts(described, "command").stream().map(word -> filledIn(word, variables)).toList();
    Isolation isolation =
        new Isolation(
            Boolean.TRUE.equals(described.get("read_only")), texts(described, "cap_drop").contains("ALL"),
            texts(described, "security_opt").contains("no-new-privileges:true"));
    return new Service(
        image(described), command, environment, volumes(described), conditions(described), healthcheck(described, variables),
        texts(described, "tmpfs"), isolation);
  }

  private static String image(Map<String, Object> described) {
    return Optional.ofNullable(described.get("image"))
        .map(String::valueOf)
        .orElseGet(() -> String.valueOf(map(described, "build").get("context")));
  }

  private static List<Volume> volumes(Map<String, Object> described) {
    List<Volume> volumes = new ArrayList<>();
    for (String each : texts(described, "volumes")) {
      String[] parts = each.split(":", -1);
      volumes.add(new Volume(parts[0], parts[1], parts.length > 2 && parts[2].equals("ro")));
    }
    return volumes;
  }

  private static Map<String, String> conditions(Map<String, Object> described) {
    Map<String, String> conditions = new LinkedHashMap<>();
    if (described.get("depends_on") instanceof List<?> names) {
      names.forEach(name -> conditions.put(String.valueOf(name), "service_started"));
    } else {
      map(described, "depends_on")
          .forEach((name, how) -> conditions.put(name, String.valueOf(((Map<?, ?>) Objects.requireNonNull(how)).get("condition"))));
    }
    return conditions;
  }

  private static List<String> healthcheck(Map<String, Object> described, Map<String, String> variables) {
    List<String> test = texts(map(described, "healthcheck"), "test").stream().map(word -> filledIn(word, variables)).toList();
    if (test.isEmpty()) {
      return test;
    }
    return switch (test.getFirst()) {
      case "CMD" -> test.subList(1, test.size());
      case "CMD-SHELL" -> List.of("/bin/sh", "-c", test.get(1));
      default -> throw new IllegalArgumentException("A health check begins with CMD or CMD-SHELL, not " + test.getFirst());
    };
  }

  @SuppressWarnings("unchecked") // YAML is maps and lists.
  private static Map<String, Object> map(Map<String, Object> described, String key) {
    return (Map<String, Object>) described.getOrDefault(key, Map.of());
  }

  private static List<String> texts(Map<String, Object> described, String key) {
    return ((List<?>) described.getOrDefault(key, List.of())).stream().map(String::valueOf).toList();
  }

  private static String filledIn(String text, Map<String, String> variables) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    found.group(1) == null
                        ? "$"
                        : Objects.requireNonNull(variables.get(found.group(1)), () -> "The file does not say how to make " + found.group(1))));
  }
}
