package dev.gatehouse.gateway.node;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.otp.replica.OtpCheck;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.valkey.ValkeyCheck;
import dev.gatehouse.common.valkey.ValkeyReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Connects to the shared stores of a node, changes nothing there, and says what they guarantee. */
public final class SharedCheck {

  private SharedCheck() {}

  /** Returns the problems; notes are printed. */
  public static List<String> of(Node node, PrintWriter out) {
    List<String> problems = new ArrayList<>();
    Optional<SharedConfig> shared = node.state().shared();
    if (shared.isPresent()) {
      try {
        PostgresDatabase.look(shared.get().postgres()).sentences().forEach(line -> out.println("note: PostgreSQL: " + line));
      } catch (PostgresUnusable e) {
        problems.add(String.valueOf(e.getMessage()));
      }
      shared.get().otp().ifPresent(otp -> {
        for (String line : OtpCheck.problems(shared.get().postgres())) {
          if (otp.isReplica()) {
            out.println("note: If this replica is nominated: " + line);
          } else {
            problems.add(line);
          }
        }
      });
      ValkeyReport valkey = ValkeyCheck.of(shared.get().valkey());
      valkey.notes().forEach(line -> out.println("note: Valkey: " + line));
      valkey.refusals().forEach(line -> problems.add("Valkey: " + line));
    }
    return problems;
  }
}
