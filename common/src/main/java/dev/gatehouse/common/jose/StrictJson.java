package dev.gatehouse.common.jose;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads one JSON object that a stranger sent (RFC 8259). Each name may occur once, so that no two readers see different meanings; the
 * depth is bounded, so that it cannot exhaust the stack.
 */
public final class StrictJson {

  private static final int MAX_DEPTH = 16;
  private static final int MAX_DIGITS = 100;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).maxNumberLength(MAX_DIGITS).build())
                  .build())
          .build();

  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

  private StrictJson() {}

  /** Returns the members without those whose value is null (RFC 7591, section 2); empty if it is not an object. */
  public static Optional<Map<String, Object>> object(byte[] utf8) {
    try {
      Map<String, Object> object = JSON.readValue(utf8, OBJECT);
      if (object == null) {
        return Optional.empty();
      }
      object.values().removeIf(Objects::isNull);
      return Optional.of(object);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** Returns the value as text. */
  public static String write(Object value) {
    return JSON.writeValueAsString(value);
  }
}
