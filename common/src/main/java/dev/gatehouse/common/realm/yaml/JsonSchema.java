package dev.gatehouse.common.realm.yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/** Writes declared keys as a JSON Schema (2020-12). */
public final class JsonSchema {

  private static final Map<String, Object> VARIABLE = Map.of("$ref", "#/$defs/variable");
  private static final Map<String, Object> SECRET = Map.of("$ref", "#/$defs/secret");

  private final Map<Section, String> names = new HashMap<>();
  private final Map<String, Object> definitions = new TreeMap<>();

  private JsonSchema() {}

  public static String of(Section keys, String title) {
    return new JsonSchema().text(keys, title);
  }

  private String text(Section keys, String title) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", title);
    schema.putAll(object(keys));
    String variable = "A value with environment variables: ${NAME}, or the content of the file that NAME_FILE names.";
    definitions.put("variable", fields("type", "string", "pattern", "\\$\\{", "description", variable));
    String secret = "The content of the file secrets/NAME beside gatehouse.yaml, or of a secret in the database.";
    definitions.put(
        "secret",
        fields(
            "type", "object", "properties", Map.of("secret", Map.of("type", "string")), "required", List.of("secret"),
            "additionalProperties", false, "description", secret));
    schema.put("$defs", definitions);
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(schema);
  }

  private Map<String, Object> object(Section keys) {
    Map<String, Object> properties = new LinkedHashMap<>();
    keys.keys().forEach(key -> properties.put(key.name(), value(key)));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", List.of("object", "null"));
    object.put("properties", properties);
    object.put("additionalProperties", false);
    List<String> required = keys.keys().stream().filter(Key::isRequired).map(Key::name).toList();
    if (!required.isEmpty()) {
      object.put("required", required);
    }
    return object;
  }

  /** Returns a reference to the definition of the key's section, which several keys may share. */
  private Map<String, Object> section(Key<?> key) {
    Section section = key.section();
    if (!names.containsKey(section)) {
      String name = key.name() + (names.containsValue(key.name()) ? names.size() : "");
      names.put(section, name);
      definitions.put(name, object(section));
    }
    return Map.of("$ref", "#/$defs/" + names.get(section));
  }

  private Map<String, Object> value(Key<?> key) {
    List<Map<String, Object>> forms = new ArrayList<>();
    for (Key.Form form : Key.Form.values()) {
      if (key.forms().contains(form)) {
        forms.addAll(forms(key, form));
      }
    }
    Map<String, Object> value = new LinkedHashMap<>();
    if (!key.sentence().isEmpty()) {
      value.put("description", key.sentence());
    }
    key.usual().ifPresent(usual -> value.put("default", example(usual)));
    key.example().ifPresent(example -> value.put("examples", List.of(example(example))));
    if (forms.size() > 1) {
      value.put("anyOf", forms);
    } else {
      value.putAll(forms.getFirst());
    }
    return value;
  }

  private List<Map<String, Object>> forms(Key<?> key, Key.Form form) {
    return switch (form) {
      case SCALAR -> scalars(key);
      case LIST -> listOf(item(key), true);
      case MAP -> List.of(mapOf(key, scalar(key)));
      case LISTS -> List.of(mapOf(key, Map.of("anyOf", listOf(scalar(key), true))));
      case SECTION -> List.of(section(key));
      case NAMED_SECTIONS -> List.of(fields("type", List.of("object", "null"), "additionalProperties", section(key)));
      case SECTIONS -> key.forms().contains(Key.Form.LIST) ? List.of() : listOf(section(key), false);
    };
  }

  /** Returns an item of a list, in which sections may stand beside scalars. */
  private Map<String, Object> item(Key<?> key) {
    return key.forms().contains(Key.Form.SECTIONS) ? fields("anyOf", List.of(scalar(key), section(key))) : scalar(key);
  }

  private static Map<String, Object> scalar(Key<?> key) {
    return Map.of("anyOf", scalars(key));
  }

  private static List<Map<String, Object>> scalars(Key<?> key) {
    return key.takesSecret() ? List.of(key.type().schema(), VARIABLE, SECRET) : List.of(key.type().schema(), VARIABLE);
  }

  /** A single value is a list of one. */
  private static List<Map<String, Object>> listOf(Map<String, Object> item, boolean mayBeNull) {
    List<Map<String, Object>> forms = new ArrayList<>(List.of(fields("type", "array", "items", item), item));
    if (mayBeNull) {
      forms.add(Map.of("type", "null"));
    }
    return forms;
  }

  private static Map<String, Object> mapOf(Key<?> key, Map<String, Object> value) {
    Map<String, Object> map = fields("type", List.of("object", "null"), "additionalProperties", value);
    // A mapping with any key of the section is the section.
    key.subsection()
        .map(section -> section.keys().stream().map(Key::name).toList())
        .ifPresent(names -> map.put("propertyNames", Map.of("not", Map.of("enum", names))));
    return map;
  }

  /** Returns what an editor shows as value: a list, mapping, number, boolean value or text. */
  private static Object example(String text) {
    return text.matches("[\\[{].*|true|false|\\d+") ? new Yaml().load(text) : text;
  }

  /** Returns a mapping of these names and values, in their order. */
  public static Map<String, Object> fields(Object... namesAndValues) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }
}
