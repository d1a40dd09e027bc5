package dev.gatehouse.gateway.admin;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springdoc.core.customizers.OpenApiCustomizer;

/** Says of the members of request bodies that may be absent that they may be null, too, since many clients write that. */
final class RequestMembers implements OpenApiCustomizer {

  private static final String PREFIX = "#/components/schemas/";
  private static final Schema<?> NULL = new Schema<>().types(Set.of("null"));

  @Override
  public void customise(OpenAPI api) {
    Set<String> names = new HashSet<>();
    api.getPaths().values().stream()
        .map(PathItem::readOperations)
        .flatMap(List::stream)
        .flatMap(operation -> Optional.ofNullable(operation.getRequestBody()).stream())
        .flatMap(body -> body.getContent().values().stream())
        .map(MediaType::getSchema)
        .filter(Objects::nonNull)
        .forEach(
            schema -> {
              // Its members may be null, as of a merge patch; a body may not.
              if (schema.getTypes() != null && schema.getTypes().size() > 1) {
                schema.getTypes().remove("null");
              }
              collect(schema, api, names);
            });
    names.forEach(name -> named(api, name).ifPresent(RequestMembers::relax));
  }

  private static void collect(Schema<?> schema, OpenAPI api, Set<String> names) {
    String reference = schema.get$ref();
    if (reference != null) {
      String name = reference.substring(PREFIX.length());
      if (names.add(name)) {
        named(api, name).ifPresent(found -> collect(found, api, names));
      }
    }
    if (schema.getItems() != null) {
      collect(schema.getItems(), api, names);
    }
    Optional.ofNullable(schema.getProperties()).ifPresent(members -> members.values().forEach(member -> collect(member, api, names)));
  }

  private static Optional<Schema<?>> named(OpenAPI api, String name) {
    return Optional.ofNullable(api.getComponents().getSchemas().get(name));
  }

  private static void relax(Schema<?> schema) {
    List<String> required = Optional.ofNullable(schema.getRequired()).orElse(List.of());
    Map<String, Schema> members = new LinkedHashMap<>();
    Optional.ofNullable(schema.getProperties())
        .ifPresent(all -> all.forEach((name, member) -> members.put(name, required.contains(name) ? member : orNull(member))));
    if (!members.isEmpty()) {
      schema.setProperties(members);
    }
  }

  private static Schema<?> orNull(Schema<?> member) {
    if (member.get$ref() != null || member.getTypes() == null) {
      return new Schema<>().anyOf(List.of(member, NULL)).description(member.getDescription());
    }
    Set<String> types = new LinkedHashSet<>(member.getTypes());
    types.add("null");
    return member.types(types);
  }
}
