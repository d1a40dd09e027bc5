package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.key.AdministratorKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While the node is down, whoever listens at its port is somebody else. */
@Timeout(60)
class NodeConnectionTest {

  @Test
  void noKeyIsMadeForAStrangerAtThePort(@TempDir Path folder) throws IOException {
    CommandFolder commands = new CommandFolder(folder, "");
    String config = commands.config.toString();
    InetSocketAddress admin = ConfigurationOption.loadNode(commands.config).node().listeners().admin().address();
    List<String> keys = new CopyOnWriteArrayList<>();
    HttpServer stranger = HttpServer.create(admin, 0);
    stranger.createContext(
        "/",
        exchange -> {
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    stranger.start();
    try {
      for (String[] command :
          List.of(
              new String[] {"admin", "realms", "list", "--config", config},
              new String[] {"plan", commands.proposal.toString(), "--config", config})) {
        assertThat(commands.run(command)).as(commands.out::toString).isEqualTo(1);
        assertThat(commands.err.toString()).contains("Something answers at ", "no node has the data in ", " open: no key is made for it.");
      }
    } finally {
      stranger.stop(0);
    }
    assertThat(keys).isEmpty();
    assertThat(new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom()).list()).isEmpty();
  }
}
