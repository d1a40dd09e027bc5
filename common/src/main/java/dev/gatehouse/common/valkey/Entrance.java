package dev.gatehouse.common.valkey;

import dev.gatehouse.common.node.ValkeyConfig;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Optional;

/** What is asked of a new connection before anything else is read or written through it. */
record Entrance(ValkeyConfig config, Names names, Admission admission) {

  /**
   * Loads the scripts, and returns why nothing may be served by this server; empty if it may.
   *
   * @param known the highest sequence that this node knows to be acknowledged
   */
  Optional<String> refusal(StatefulRedisConnection<byte[], byte[]> connection, long known) {
    return admit(connection, known)
        .or(
            () -> {
              for (Script script : Script.values()) {
                connection.sync().scriptLoad(script.text());
              }
              return foreign(connection);
            });
  }

  private Optional<String> admit(StatefulRedisConnection<byte[], byte[]> connection, long known) {
    Admission.Probe probe = new ConnectionProbe(connection.sync(), names, config.acknowledge());
    Optional<String> refusal = probe.report().refusal();
    if (refusal.isPresent()) {
      return refusal;
    }
    long found = probe.sequence();
    return found < known ? Optional.of(older(found, known)) : admission.refusal(probe);
  }

  static String older(long found, long known) {
    return "its data are older than what it acknowledged (sequence " + found + ", known " + known + "): see recover";
  }

  /** Compares a sealed word, which the first node leaves in the namespace: nodes with another key can read nothing there. */
  private Optional<String> foreign(StatefulRedisConnection<byte[], byte[]> connection) {
    byte[] word = Names.ascii("gatehouse");
    byte[][] keys = {names.key("canary")};
    Reply reply =
        new Reply(
            connection
                .sync()
                .evalsha(Script.RECORD_ONCE.digest(), ScriptOutputType.MULTI, keys, names.seal("canary", "", new byte[0], word)));
    return names.open("canary", "", reply.bytes(1), 0).isPresent()
        ? Optional.empty()
        : Optional.of(
            "the namespace " + config.namespace() + " was written under another key: give this deployment its own name (deployment in "
                + "gatehouse.yaml), or the database with the key that its other nodes have");
  }
}
