package dev.gatehouse.common.valkey;

import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Server-assisted invalidation (RESP3, CLIENT TRACKING): the server reports changes of each key that this connection has read. */
final class Tracking {

  private Tracking() {}

  static void start(StatefulRedisConnection<byte[], byte[]> connection, LinkListener listener) {
    connection.addListener(
        message -> {
          if (message.getType().equals("invalidate")) {
            List<Object> content = message.getContent();
            // The server sends null in place of keys after FLUSHALL.
            if (content.size() > 1 && content.get(1) instanceof List<?> keys) {
              keys.forEach(key -> bytes(key).ifPresent(listener::changed));
            } else {
              listener.unverified();
            }
          }
        });
    connection.sync().clientTracking(TrackingArgs.Builder.enabled());
  }

  private static Optional<byte[]> bytes(Object key) {
    return switch (key) {
      case byte[] bytes -> Optional.of(bytes);
      case ByteBuffer buffer -> {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        yield Optional.of(bytes);
      }
      case String text -> Optional.of(StringCodec.ASCII.encodeKey(text).array());
      default -> Optional.empty();
    };
  }
}
