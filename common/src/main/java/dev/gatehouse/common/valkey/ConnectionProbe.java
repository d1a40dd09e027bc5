package dev.gatehouse.common.valkey;

import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks a new connection. */
record ConnectionProbe(RedisCommands<byte[], byte[]> server, Names names, Acknowledge acknowledge) implements Admission.Probe {

  @Override
  public Optional<String> record() {
    return text(ValkeyRecord.RECORD);
  }

  @Override
  public long sequence() {
    return text("sequence").map(Long::parseLong).orElse(0L);
  }

  @Override
  public ValkeyReport report() {
    return ValkeyReport.of(server, acknowledge);
  }

  private Optional<String> text(String name) {
    byte @Nullable [] value = server.get(names.key(name));
    return Optional.ofNullable(value).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }
}
