package dev.gatehouse.perf.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.perf.nodes.Cluster.Entry;
import dev.gatehouse.perf.server.GatehouseNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The realm of the rows of S2. */
class ClusterRowsTest {

  @TempDir Path folder;

  @Test
  void theRealmByHttpsIsValidAndHasTheRoutesOfOneNode() throws IOException, ConfigurationInvalid {
    Entry entry = Entry.of(Front.STICKY, "https", 0, true);
    GatehouseNode.Configured node =
        GatehouseNode.configure(
            "app-0", folder, "[sp, gateway]", GatehouseNode.listener("gateway", 8000), "trustedProxies: [127.0.0.0/8]\n", 8000,
            Map.of(entry.realm(), ClusterRows.securedRealm(entry, 389, 9000)));
    List<RouteConfig> routes = new ConfigurationFiles(node.config(), Map.of()).load().realms().getFirst().gateway().routes();
    assertThat(routes)
        .extracting(route -> route.match().path())
        .containsExactlyInAnyOrder("/public/", "/app/", "/form/", "/fill/", "/form-plain/", "/form-role/");
    assertThat(routes)
        .filteredOn(route -> route.identity().formFill().isPresent())
        .extracting(route -> route.match().path())
        .containsExactly("/fill/");
  }
}
