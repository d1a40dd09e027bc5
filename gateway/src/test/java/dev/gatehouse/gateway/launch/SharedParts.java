package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * What nodes of {@code src/test/resources/shared} need besides themselves: a directory, an app, PostgreSQL and Valkey.
 *
 * @param environment of every node, without what is each node's own
 */
record SharedParts(Postgres postgres, ValkeyServer valkey, Map<String, String> environment) {

  /**
   * Starts them.
   *
   * @param idp the port of the identity provider for people
   * @param apps that of the apps
   */
  static SharedParts start(Servers servers, int idp, int apps) throws IOException, InterruptedException {
    DemoDirectory directory = servers.begun(DemoDirectory.start(0));
    SampleApp sample = servers.begun(SampleApp.start(0));
    Postgres postgres = servers.begun(Postgres.start());
    ValkeyServer valkey = servers.begun(ValkeyServer.start());
    Map<String, String> environment =
        Map.of(
            "PUBLIC_IDP", String.valueOf(idp), "PUBLIC_APP", String.valueOf(apps), "DIRECTORY_PORT", String.valueOf(directory.port()),
            "SAMPLE_PORT", String.valueOf(sample.port()), "POSTGRES_PORT", String.valueOf(postgres.port()), "POSTGRES_PASSWORD",
            Postgres.password(), "VALKEY_PORT", String.valueOf(valkey.port()), "MASTER_KEY", Base64.getEncoder().encodeToString(new byte[32]));
    return new SharedParts(postgres, valkey, environment);
  }

  /** The environment of a node. */
  Map<String, String> of(int index, Path data, Ports ports) {
    Map<String, String> own = new HashMap<>(environment);
    own.putAll(
        Map.of(
            "INDEX", String.valueOf(index), "DATA", data.toString(), "IDP_PORT", String.valueOf(ports.idp()), "APP_PORT",
            String.valueOf(ports.apps()), "ADMIN_PORT", String.valueOf(ports.admin())));
    return own;
  }

  /** The ports at which a node listens. */
  record Ports(int idp, int apps, int admin) {}
}
