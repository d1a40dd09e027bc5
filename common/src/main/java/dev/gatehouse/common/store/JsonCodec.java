package dev.gatehouse.common.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores a record as a version byte and JSON: small and readable in a support case. A later release may add components that
 * are Optional or lists without a new version, if every decision is the same without them: a former one leaves them out. For values that
 * are written a few times per login, not for packets.
 */
public final class JsonCodec<V> implements ValueCodec<V> {

  private static final byte VERSION = 1;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private final Class<V> type;

  public JsonCodec(Class<V> type) {
    this.type = type;
  }

  @Override
  public byte[] encode(V value) {
    byte[] json = JSON.writeValueAsBytes(value);
    byte[] bytes = new byte[json.length + 1];
    bytes[0] = VERSION;
    System.arraycopy(json, 0, bytes, 1, json.length);
    return bytes;
  }

  @Override
  public V decode(byte[] bytes) {
    if (bytes.length < 2) {
      throw new IllegalArgumentException("not a " + type.getSimpleName());
    }
    // The next format only adds to this one, as in PackedCodec.
    if (bytes[0] != VERSION && bytes[0] != VERSION + 1) {
      throw new UnknownFormat("A " + type.getSimpleName(), bytes[0], VERSION, VERSION + 1);
    }
    @Nullable V value;
    try {
      value = JSON.readValue(Arrays.copyOfRange(bytes, 1, bytes.length), type);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("not a " + type.getSimpleName(), e);
    }
    if (value == null) {
      throw new IllegalArgumentException("not a " + type.getSimpleName() + " but null");
    }
    return value;
  }
}
