package dev.gatehouse.common.realm.yaml;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * {@code {secret: NAME}} in place of a value: the content of {@code secrets/NAME} beside {@code gatehouse.yaml} or, in a revision in
 * the database, the secret that is stored under that name.
 */
record SecretReference(YamlSource source, String key, int line) {

  private static final String KEY = "secret";

  static final String REMEDY = "write {secret: NAME}, and store the secret: PUT /admin/v1/secrets/NAME";

  /** Returns the name in a mapping that has the key {@code secret} alone. */
  static Optional<String> of(MappingNode mapping) {
    List<NodeTuple> entries = mapping.getValue();
    return entries.size() == 1
            && entries.getFirst().getKeyNode() instanceof ScalarNode key
            && key.getValue().equals(KEY)
            && entries.getFirst().getValueNode() instanceof ScalarNode name
        ? Optional.of(name.getValue())
        : Optional.empty();
  }

  /** Returns the value for a key of that type; empty, with a problem, if there is none. */
  Optional<YamlValue> value(MappingNode mapping, Type<?> type) {
    String name = of(mapping).orElseThrow();
    if (!type.takesSecret()) {
      source.problem(line, key, "is no secret, but names one", "write the value itself: everybody who may read the configuration sees it");
      return Optional.empty();
    }
    return source.secret(line, key, name).flatMap(file -> value(name, file, type));
  }

  private Optional<YamlValue> value(String name, Path file, Type<?> type) {
    String raw = YamlValue.SECRET + name + "}";
    if (type.isSecretFile()) {
      return Optional.of(new YamlValue(source, key, line, file.toString(), raw));
    }
    String text = source.files().readSecret(file).map(content -> new String(content, StandardCharsets.UTF_8)).orElse("").replaceFirst("\\R\\z", "");
    if (text.isEmpty()) {
      source.problem(line, key, "the secret " + name + " is empty", "give it a value");
      return Optional.empty();
    }
    source.filledIn().add(text);
    return Optional.of(new YamlValue(source, key, line, text, raw));
  }
}
