package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.administrator.StoredChanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;

/** Who administers the demo: a person, and a key for programs. */
final class DemoAdministrator {
  /** The person who may do everything in the demo, unless somebody was granted a role. */
  private static final String ADMINISTRATOR = "bob";

  private DemoAdministrator() {}

  /** Makes both unless they are there; returns the file of the key. */
  static Path ensure(RunningNode node, Path home) throws IOException {
    grantRole(node);
    return key(node, home);
  }

  /** Returns where the key is. */
  static Path file(Path home) {
    return home.resolve("admin-key");
  }

  /** A configuration that was changed by hand may name no realm of administrators. */
  private static void grantRole(RunningNode node) {
    node.node()
        .listeners()
        .adminLogin()
        .map(
            login ->
                new StoredChanges(
                    login.realm(), node.get(Realms.class), node.get(Directories.class), node.get(AdministratorGrants.class),
                    node.get(JsonLinesAuditLog.class), node.get(InstantSource.class)))
        .ifPresent(changes -> changes.grantIfNobody(ADMINISTRATOR));
  }

  /** Returns the file of the administrator key, which is created at the first start and readable only by its owner. */
  private static Path key(RunningNode node, Path home) throws IOException {
    Path file = file(home);
    AdministratorKeys keys = node.get(AdministratorKeys.class);
    if (Files.exists(file) && keys.verify(Files.readString(file).strip()).isPresent()) {
      return file;
    }
    keys.revoke("demo");
    String key =
        switch (keys.create("demo")) {
          case Creation.Created created -> created.secret();
          case Creation.Refused refused -> throw new StartRefused(refused.why());
        };
    Files.deleteIfExists(file);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, key + "\n");
    return file;
  }
}
