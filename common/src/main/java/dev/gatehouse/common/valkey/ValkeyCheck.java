package dev.gatehouse.common.valkey;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.store.StoreUnavailable;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Connects once and says what the servers really guarantee, for {@code ./gatehouse check}. */
public final class ValkeyCheck {

  private ValkeyCheck() {}

  /** Returns what the primary guarantees; a refusal that says why there is no connection, if there is none. */
  public static ValkeyReport of(ValkeyConfig config) {
    return of(config, probe -> Optional.empty());
  }

  /** @param admission finds out whose data are there; what it refuses is a refusal of the report */
  public static ValkeyReport of(ValkeyConfig config, Admission admission) {
    RedisClient client = Clients.create(config);
    try {
      List<StatefulRedisConnection<byte[], byte[]>> opened = new ArrayList<>();
      Clients.connect(client, config, 1, opened);
      SecureRandom random = new SecureRandom();
      // What is sealed or hashed is not looked at, so that any key does.
      Names names = new Names(config.namespace(), SealingKey.inMemory(random), random, new UnreadRecords(InstantSource.system()));
      Admission.Probe probe = new ConnectionProbe(opened.getFirst().sync(), names, config.acknowledge());
      ValkeyReport report = probe.report();
      return new ValkeyReport(
          Stream.concat(report.refusals().stream(), admission.refusal(probe).stream()).toList(), report.notes());
    } catch (RedisException | StoreUnavailable e) {
      return new ValkeyReport(List.of(Clients.sentence(config, e)), List.of());
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
      client.getResources().shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
