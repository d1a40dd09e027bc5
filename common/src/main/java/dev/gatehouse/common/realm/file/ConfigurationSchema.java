package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.yaml.JsonSchema;
import dev.gatehouse.common.realm.yaml.ReferencePage;
import dev.gatehouse.common.realm.yaml.Section;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The declared keys of both kinds of configuration files: the JSON Schema, and the reference page. */
public enum ConfigurationSchema {
  /** {@code gatehouse.yaml}. */
  GATEHOUSE("gatehouse.yaml", NodeYaml.KEYS),
  /** {@code realms/NAME.yaml}. */
  REALM("realms/NAME.yaml", RealmYaml.KEYS);

  private final String file;
  private final Section keys;

  ConfigurationSchema(String file, Section keys) {
    this.file = file;
    this.keys = keys;
  }

  public Section keys() {
    return keys;
  }

  /** Returns the JSON Schema (2020-12) of the file, for editors. */
  public String json() {
    return JsonSchema.of(keys, "Gatehouse's " + file);
  }

  /** Returns the reference page of all keys in Markdown. */
  public static String page() {
    StringBuilder page = new StringBuilder(ReferencePage.HEAD);
    for (ConfigurationSchema schema : values()) {
      page.append(ReferencePage.of(schema.file, schema.keys));
    }
    return page.toString();
  }

  /** Holds the places of each key by its name; made at the first mistake, since most configurations have none. */
  private static final class Places {
    static final Map<String, Set<String>> BY_NAME = new HashMap<>();

    static {
      for (ConfigurationSchema schema : values()) {
        schema.keys.places("", schema.file, BY_NAME);
      }
    }
  }

  /** Returns the places of each key, like {@code idp of realms/NAME.yaml}. */
  static Map<String, Set<String>> places() {
    return Places.BY_NAME;
  }
}
