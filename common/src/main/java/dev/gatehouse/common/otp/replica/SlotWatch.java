package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.otp.replica.ServerTable.Replica;
import dev.gatehouse.common.otp.replica.ServerTable.Slot;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says once of each replica that the primary's disk fills for it, and once that its log was removed so that the disk does not. */
final class SlotWatch {

  /** A replica with so much of the log is told of where nothing bounds it. */
  private static final long UNBOUNDED = 1L << 30;

  /** What was said of each replica. */
  private final Map<String, String> said = new HashMap<>();

  /**
   * Looks at the slots of a primary.
   *
   * @return what is new: the replica and the bytes that are kept for it, by what has happened
   */
  Map<String, String> look(Database primary) {
    return look(new ServerTable(primary).replicas(), new Slots(primary).bound());
  }

  /** @param bound of bytes that are kept for a replica; empty if there is none */
  Map<String, String> look(List<Replica> replicas, Optional<Long> bound) {
    long much = bound.map(bytes -> bytes / 2).orElse(UNBOUNDED);
    Map<String, String> fresh = new LinkedHashMap<>();
    for (Replica replica : replicas) {
      String now = replica.slot().map(slot -> state(slot, much)).orElse("");
      String before = said.getOrDefault(replica.server(), "");
      if (!now.equals(before) && !now.isEmpty()) {
        fresh.merge(now, replica.server() + " " + replica.slot().map(Slot::retained).orElse(0L), (one, other) -> one + ", " + other);
      }
      said.put(replica.server(), now);
    }
    said.keySet().removeIf(server -> replicas.stream().noneMatch(replica -> replica.server().equals(server)));
    return fresh;
  }

  private static String state(Slot slot, long much) {
    return slot.isLost() ? "log-lost" : slot.retained() >= much ? "log-kept" : "";
  }
}
