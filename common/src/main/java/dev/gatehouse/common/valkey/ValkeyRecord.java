package dev.gatehouse.common.valkey;

import dev.gatehouse.common.installation.RecordLocation;
import io.lettuce.core.api.async.RedisStringAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The installation's record in Valkey; a write counts once it is acknowledged. */
final class ValkeyRecord implements RecordLocation {

  static final String RECORD = "installation";

  private final ValkeyLink link;

  ValkeyRecord(ValkeyLink link) {
    this.link = link;
  }

  @Override
  public Optional<String> read() {
    return Optional.ofNullable(link.read(server -> server.get(link.names().key(RECORD))))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public void write(String text) {
    link.write(Script.RECORD_WRITE, new byte[][] {link.names().key(RECORD)}, text.getBytes(StandardCharsets.UTF_8));
  }
}
