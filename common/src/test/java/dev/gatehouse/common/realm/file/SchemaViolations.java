package dev.gatehouse.common.realm.file;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What an editor would mark in a configuration: violations of the schemas as they are printed. */
public final class SchemaViolations {

  private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Schema GATEHOUSE = REGISTRY.getSchema(ConfigurationSchema.GATEHOUSE.json(), InputFormat.JSON);
  private static final Schema REALM = REGISTRY.getSchema(ConfigurationSchema.REALM.json(), InputFormat.JSON);

  private static final YAMLMapper YAML = new YAMLMapper();

  private SchemaViolations() {}

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
    Schema schema = file.endsWith("gatehouse.yaml") ? GATEHOUSE : REALM;
    try {
      JsonNode content = YAML.readTree(Files.readString(file));
      return schema.validate(content.isMissingNode() ? NullNode.getInstance() : content).stream()
          .map(Error::toString)
          .map(violation -> file.getFileName() + ":" + violation)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
