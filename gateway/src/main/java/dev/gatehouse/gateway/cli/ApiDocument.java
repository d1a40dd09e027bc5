package dev.gatehouse.gateway.cli;

import dev.gatehouse.gateway.cli.ApiOperation.Body;
import dev.gatehouse.gateway.cli.ApiParameter.Place;
import dev.gatehouse.gateway.cli.ApiParameter.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document of this version's administration. */
final class ApiDocument {

  private static final String RESOURCE = "/admin/openapi.json";
  private static final List<String> PAGE_PARAMETERS = List.of("after", "cursor");

  private final JsonNode document;

  ApiDocument(JsonNode document) {
    this.document = document;
  }

  /** Reads the document that the build contains. */
  static ApiDocument ofThisVersion() {
    try (InputStream in = ApiDocument.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("The build lacks " + RESOURCE + ".");
      }
      return new ApiDocument(new JsonMapper().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a sentence for each resource that has a tag of its own. */
  Map<String, String> descriptions() {
    Map<String, String> found = new TreeMap<>();
    document.path("tags").forEach(tag -> found.put(tag.path("name").asString(""), tag.path("description").asString("")));
    return found;
  }

  /** Returns the operations by resource and verb; no two have the same. */
  List<ApiOperation> operations() {
    List<ApiOperation> found = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        found.add(operation(path.getKey(), method.getKey().toUpperCase(Locale.ROOT), method.getValue()));
      }
    }
    Map<String, Long> names = found.stream().collect(Collectors.groupingBy(ApiDocument::name, Collectors.counting()));
    return found.stream()
        .map(one -> names.getOrDefault(name(one), 0L) == 1 ? one : one.withVerb(CommandNames.kebab(one.id())))
        .sorted(Comparator.comparing(ApiDocument::name))
        .toList();
  }

  private static String name(ApiOperation operation) {
    return operation.resource() + " " + operation.verb();
  }

  private ApiOperation operation(String path, String method, JsonNode node) {
    String id = node.path("operationId").asString();
    CommandNames names = CommandNames.of(id, node.path("tags").path(0).asString(), path);
    List<ApiParameter> parameters = new ArrayList<>();
    node.path("parameters").forEach(parameter -> parameters.add(parameter(parameter)));
    Optional<String> page =
        PAGE_PARAMETERS.stream()
            .filter(name -> isPaged(node) && parameters.stream().anyMatch(parameter -> parameter.name().equals(name)))
            .findFirst();
    return new ApiOperation(
        id, names.resource(), names.verb(), method, path, text(node, "summary").orElse(id), text(node, "x-required-role"), parameters,
        body(node.path("requestBody")), page);
  }

  private static Body body(JsonNode body) {
    if (body.isMissingNode()) {
      return Body.NONE;
    }
    return body.path("required").asBoolean(false) ? Body.REQUIRED : Body.OPTIONAL;
  }

  private boolean isPaged(JsonNode operation) {
    JsonNode schema = resolved(operation.path("responses").path("200").path("content").path("application/json").path("schema"));
    return schema.path("properties").has("next");
  }

  private ApiParameter parameter(JsonNode node) {
    JsonNode schema = resolved(node.path("schema"));
    List<String> values = new ArrayList<>();
    schema.path("enum").forEach(value -> values.add(value.asString()));
    return new ApiParameter(
        node.path("name").asString(),
        Place.valueOf(node.path("in").asString().toUpperCase(Locale.ROOT)),
        switch (schema.path("type").asString("")) {
          case "integer" -> Type.INTEGER;
          case "boolean" -> Type.BOOLEAN;
          default -> Type.TEXT;
        },
        node.path("required").asBoolean(false),
        text(node, "description").orElse(""),
        values,
        Optional.of(schema.path("default").asString("")).filter(preset -> !preset.isEmpty()));
  }

  private JsonNode resolved(JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    return reference.startsWith("#/") ? document.at(reference.substring(1)) : schema;
  }

  private static Optional<String> text(JsonNode node, String name) {
    return Optional.of(node.path(name).asString("")).filter(text -> !text.isEmpty());
  }
}
