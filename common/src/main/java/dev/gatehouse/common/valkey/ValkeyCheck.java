package dev.gatehouse.common.valkey;

import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connects once and says what the servers really guarantee, for {@code ./gatehouse check}. */
public final class ValkeyCheck {

  private ValkeyCheck() {}

  /** Returns what the primary guarantees; a refusal that says why there is no connection, if there is none. */
  public static ValkeyReport of(ValkeyConfig config) {
    RedisClient client = Clients.create(config);
    try {
      return ValkeyReport.of(Clients.connect(client, config).sync(), config.acknowledge());
    } catch (RedisException | StoreUnavailable e) {
      return new ValkeyReport(List.of(Clients.sentence(config, e)), List.of());
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
      client.getResources().shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
