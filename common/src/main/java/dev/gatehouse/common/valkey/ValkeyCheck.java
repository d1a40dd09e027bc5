package dev.gatehouse.common.valkey;

import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connects once and says what the servers really guarantee, for {@code ./gatehouse check}. */
public final class ValkeyCheck {

  private ValkeyCheck() {}

  /** Returns what the primary guarantees; a refusal that says why there is no connection, if there is none. */
  public static ValkeyReport of(ValkeyConfig config) {
    RedisClient client = Clients.create(config);
    try {
      List<StatefulRedisConnection<byte[], byte[]>> opened = new ArrayList<>();
      Clients.connect(client, config, 1, opened);
      return ValkeyReport.of(opened.getFirst().sync(), config.acknowledge());
    } catch (RedisException | StoreUnavailable e) {
      return new ValkeyReport(List.of(Clients.sentence(config, e)), List.of());
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
      client.getResources().shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
