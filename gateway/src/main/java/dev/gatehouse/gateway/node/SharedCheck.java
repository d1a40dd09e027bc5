package dev.gatehouse.gateway.node;

import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.otp.replica.OtpCheck;
import dev.gatehouse.common.postgres.DataFolder;
import dev.gatehouse.common.postgres.DeploymentLook;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.valkey.Admission;
import dev.gatehouse.common.valkey.ValkeyCheck;
import dev.gatehouse.common.valkey.ValkeyReport;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Connects to the shared stores of a node, changes nothing there, and says what they guarantee, and whether they are this deployment's. */
public final class SharedCheck {

  private SharedCheck() {}

  /**
   * Returns the problems; notes are printed.
   *
   * @param version of this program
   */
  public static List<String> of(Node node, PrintWriter out, String version) {
    List<String> problems = new ArrayList<>();
    Optional<SharedConfig> shared = node.state().shared();
    if (shared.isPresent()) {
      Admission admission = probe -> Optional.empty();
      try {
        new MoveMark(node.data()).requireAt(MoveMark.Target.SHARED);
        DeploymentLook database = DeploymentLook.of(shared.get().postgres(), asker(node, version));
        database.notes().forEach(line -> out.println("note: PostgreSQL: " + line));
        problems.addAll(database.problems());
        if (problems.isEmpty()) {
          admission = SharedStores.admission(shared.get().valkey(), database);
        }
      } catch (PostgresUnusable | MoveMark.Moved e) {
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
      ValkeyReport valkey = ValkeyCheck.of(shared.get().valkey(), admission);
      valkey.notes().forEach(line -> out.println("note: Valkey: " + line));
      valkey.refusals().forEach(line -> problems.add("Valkey: " + line));
    }
    return problems;
  }

  private static DeploymentLook.Asker asker(Node node, String version) {
    Optional<InstallationRecord> own =
        new FileRecordLocation(StoredState.folders(node).of(StoreName.KEYS)).read().flatMap(InstallationRecord::parse);
    return new DeploymentLook.Asker(
        node.state().requireShared().deployment(), SharedState.master(node, new SecureRandom()), own,
        Files.exists(StoredState.folders(node).of(StoreName.H2)), DataFolder.knownInstance(node.data()), node.index(), version);
  }
}
