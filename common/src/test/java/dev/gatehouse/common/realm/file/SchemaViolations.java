package dev.gatehouse.common.realm.file;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an editor would mark in a configuration: the schemas as they are printed, with the keywords of JSON Schema 2020-12 that they use.
 * A keyword that is not known here fails.
 */
public final class SchemaViolations {

  private static final JsonNode GATEHOUSE = JsonMapper.shared().readTree(ConfigurationSchema.GATEHOUSE.json());
  private static final JsonNode REALM = JsonMapper.shared().readTree(ConfigurationSchema.REALM.json());

  private final JsonNode root;
  private final List<String> violations = new ArrayList<>();

  private SchemaViolations(JsonNode root) {
    this.root = root;
  }

  /** Returns the violations of all files of a configuration folder. */
  public static List<String> of(Path folder) {
    List<String> violations = new ArrayList<>(ofFile(folder.resolve("gatehouse.yaml")));
    try (Stream<Path> realms = Files.list(folder.resolve("realms"))) {
      realms.filter(file -> file.toString().endsWith(".yaml")).sorted().forEach(file -> violations.addAll(ofFile(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return violations;
  }

  /** Returns the violations of a file. */
  public static List<String> ofFile(Path file) {
    SchemaViolations check = new SchemaViolations(file.endsWith("gatehouse.yaml") ? GATEHOUSE : REALM);
    try {
      Node node = new Yaml().compose(new StringReader(Files.readString(file)));
      check.check(check.root, node == null ? null : value(node), file.getFileName() + ":");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return check.violations;
  }

  /** Scalars as YAML 1.2's core schema, which editors use. */
  private static @Nullable Object value(Node node) {
    return switch (node) {
      case MappingNode mapping -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        mapping.getValue().forEach(t -> map.put(((ScalarNode) t.getKeyNode()).getValue(), value(t.getValueNode())));
        yield map;
      }
      case SequenceNode sequence -> sequence.getValue().stream().map(SchemaViolations::value).toList();
      case ScalarNode scalar when !scalar.isPlain() || scalar.getTag().equals(Tag.STR) -> scalar.getValue();
      case ScalarNode scalar -> {
        String text = scalar.getValue();
        yield text.isEmpty() || text.equals("null") || text.equals("~")
            ? null
            : text.matches("true|false")
                ? (Object) Boolean.valueOf(text)
                : text.matches("-?\\d{1,18}") ? (Object) Long.valueOf(text) : text.matches("-?\\d+\\.\\d+") ? (Object) Double.valueOf(text) : text;
      }
      default -> throw new IllegalStateException(node.toString());
    };
  }

  private boolean isValid(JsonNode schema, @Nullable Object value) {
    SchemaViolations alone = new SchemaViolations(root);
    alone.check(schema, value, "");
    return alone.violations.isEmpty();
  }

  private void check(JsonNode schema, @Nullable Object value, String at) {
    schema.properties().forEach(keyword -> check(keyword.getKey(), keyword.getValue(), schema, value, at));
  }

  private void check(String keyword, JsonNode argument, JsonNode schema, @Nullable Object value, String at) {
    boolean holds =
        switch (keyword) {
          case "$schema", "$defs", "title", "description", "default", "examples", "deprecated" -> true;
          case "type" -> types(argument).anyMatch(type -> isA(type, value));
          case "enum" -> argument.valueStream().anyMatch(one -> one.asString().equals(Objects.toString(value)));
          case "pattern" -> !(value instanceof String text) || Pattern.compile(argument.asString()).matcher(text).find();
          case "minimum" -> !(value instanceof Long number) || number >= argument.asLong();
          case "maximum" -> !(value instanceof Long number) || number <= argument.asLong();
          case "anyOf" -> argument.valueStream().anyMatch(one -> isValid(one, value));
          case "not" -> !isValid(argument, value);
          case "propertyNames" ->
              !(value instanceof Map<?, ?> map) || map.keySet().stream().allMatch(name -> isValid(argument, name));
          case "$ref" -> {
            check(root.at(argument.asString().substring(1)), value, at);
            yield true;
          }
          case "required" ->
              !(value instanceof Map<?, ?> map) || argument.valueStream().allMatch(name -> map.containsKey(name.asString()));
          case "items" -> {
            if (value instanceof List<?> list) {
              list.forEach(item -> check(argument, item, at + "[]"));
            }
            yield true;
          }
          case "properties" -> {
            if (value instanceof Map<?, ?> map) {
              argument.properties().stream()
                  .filter(p -> map.containsKey(p.getKey()))
                  .forEach(p -> check(p.getValue(), map.get(p.getKey()), at + "." + p.getKey()));
            }
            yield true;
          }
          case "additionalProperties" -> {
            JsonNode known = schema.path("properties");
            if (value instanceof Map<?, ?> map) {
              map.forEach(
                  (name, one) -> {
                    if (argument.isBoolean() && !known.has((String) name)) {
                      violations.add(at + "." + name + " is not a property");
                    } else if (!argument.isBoolean()) {
                      check(argument, one, at + "." + name);
                    }
                  });
            }
            yield true;
          }
          default -> throw new IllegalStateException("unknown keyword " + keyword);
        };
    if (!holds) {
      violations.add(at + " violates " + keyword + " " + (argument.toString().length() < 200 ? argument : "") + ": " + value);
    }
  }

  private static Stream<String> types(JsonNode argument) {
    return argument.isArray() ? argument.valueStream().map(JsonNode::asString) : Stream.of(argument.asString());
  }

  private static boolean isA(String type, @Nullable Object value) {
    return switch (type) {
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "integer" -> value instanceof Long;
      case "number" -> value instanceof Number;
      case "object" -> value instanceof Map;
      case "array" -> value instanceof List;
      case "null" -> value == null;
      default -> throw new IllegalStateException("unknown type " + type);
    };
  }
}
