package dev.gatehouse.perf.otp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A node with durable embedded storage where people of slapd log in by passkey. Each has a passkey of each kind, which a login with a
 * second factor enrolled, so that it is a login by itself.
 */
record PasskeyServer(Server server, GatehouseNode node, URI url, List<SoftPasskey> passkeys, int people) implements AutoCloseable {

  private static final String HOST = "localhost";
  private static final int BATCH = 1000;

  /** Starts the node once for its tables, stores passkeys, and starts it again. */
  static PasskeyServer start(Build build, Path directory, ServerProcess slapd, int people) throws IOException, InterruptedException {
    int port = FreePorts.take();
    URI url = URI.create("http://" + HOST + ":" + port);
    String realm =
        """
        idp:
          publicUrl: %s
          contracts:
            passkeys: {offer: false}
        %s  idAttribute: uid
        """
            .formatted(url, GatehouseNode.directory(slapd.port(), "uid: uid, cn: cn"));
    GatehouseNode.Configured configured =
        GatehouseNode.configure("passkeys", directory, "[idp]", "idp", port, Map.of(OtpPeople.REALM, realm));
    try (GatehouseNode first = configured.start(build)) {
      first.await();
    }
    List<SoftPasskey> passkeys =
        Arrays.stream(SoftPasskey.Kind.values()).map(kind -> new SoftPasskey(kind, url.toString(), HOST)).toList();
    try {
      store(configured.data(), passkeys, people);
    } catch (SQLException e) {
      throw new IOException("passkeys cannot be stored: " + e.getMessage(), e);
    }
    GatehouseNode node = configured.start(build).await();
    return new PasskeyServer(new Server(build.name(), List.of(node.process(), slapd)), node, url, passkeys, people);
  }

  private static void store(Path data, List<SoftPasskey> passkeys, int people) throws SQLException {
    try (Database database = Database.embedded(data);
        Connection connection = database.dataSource().getConnection();
        PreparedStatement keys =
            connection.prepareStatement(
                "insert into passkey (realm, credential_id, person_id, public_key, aaguid, transports, backup_eligible, backed_up,"
                    + " sign_count, label, level, created_at) values (?, ?, ?, ?, ?, 'internal', false, false, 0, 'Phone', 'PASSKEY', ?)");
        PreparedStatement handles =
            connection.prepareStatement("insert into passkey_person (realm, person_id, user_handle) values (?, ?, ?)")) {
      connection.setAutoCommit(false);
      OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
      for (int n = 1; n <= people; n++) {
        for (SoftPasskey passkey : passkeys) {
          OtpPeople.add(
              keys, OtpPeople.REALM, passkey.id(n), People.name(n), passkey.publicKey(n), new UUID(0, 0).toString(), now);
        }
        OtpPeople.add(handles, OtpPeople.REALM, People.name(n), SoftPasskey.handle(n));
        if (n % BATCH == 0 || n == people) {
          keys.executeBatch();
          handles.executeBatch();
          connection.commit();
        }
      }
    }
  }

  SoftPasskey passkey(SoftPasskey.Kind kind) {
    return passkeys.stream().filter(each -> each.kind() == kind).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    node.close();
  }
}
