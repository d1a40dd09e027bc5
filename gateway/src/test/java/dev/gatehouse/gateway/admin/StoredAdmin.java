package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.revision.StoredConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The admin edge over a configuration in a database, with one realm. */
public final class StoredAdmin implements AutoCloseable {

  public static final String REALM =
      """
      sp:
        publicUrl: http://app.localhost:8000
        identityProvider: https://idp.example.org
      partners:
        # The first one.
        - entityId: https://idp.example.org
          metadata: {url: "https://idp.example.org/metadata"}
      routes:
        - path: /
          upstream: http://127.0.0.1:9000
      """;

  private static final String NODE =
      """
      configuration: {source: database}
      data: ../data
      roles: [sp, gateway]
      realms:
        demo: {hosts: app.localhost, upstreams: "127.0.0.1:9000", outbound: "https://idp.example.org"}
      """;

  public final StoredRealms realms;
  public final TestAdmin admin;
  private final Database database = Database.inMemory();

  public StoredAdmin(Path folder) throws IOException, ConfigurationInvalid {
    Path config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    Files.writeString(config.resolve("gatehouse.yaml"), NODE);
    Files.writeString(config.resolve("realms/demo.yaml"), REALM);
    ConfigurationFiles files = new ConfigurationFiles(config, Map.of());
    TestTime time = new TestTime();
    RevisionStore store = new RevisionStore(database, SealingKey.inMemory(new SecureRandom()), time);
    realms = StoredRealms.open(files, files.loadNode().node(), store, new RecordingAuditLog(), time);
    admin =
        new TestAdmin(
            folder.resolve("admin"),
            beans -> {
              beans.registerBean(RevisionStore.class, () -> store);
              beans.registerBean(StoredRealms.class, () -> realms);
              beans.registerBean(Realms.class, () -> realms.inUse());
              beans.registerBean(
                  ConfigurationControl.class, () -> new StoredConfiguration(realms, beans.getBean(AdministratorGrants.class)));
            });
  }

  /** Returns the text of the realm's file in use. */
  public String realmFile() {
    return Objects.requireNonNull(realms.inUse().files().files().get("realms/demo.yaml")).text().orElseThrow();
  }

  /** Returns the paths of all files in use. */
  public Set<String> paths() {
    return realms.inUse().files().files().keySet();
  }

  @Override
  public void close() {
    admin.close();
    database.close();
  }
}
