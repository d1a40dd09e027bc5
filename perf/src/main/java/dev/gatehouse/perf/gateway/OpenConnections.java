package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.harness.Server;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The resident memory of a server: idle, and with many open connections that have received one response each.
 *
 * @param connections the number of open connections
 */
record OpenConnections(String server, int connections, long idleMb, long openMb) {

  static OpenConnections measure(Server server, int port, String target, int connections)
      throws IOException, InterruptedException {
    long idle = residentMb(server);
    List<Socket> open = new ArrayList<>();
    byte[] request =
        ("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    byte[] answer = new byte[64 * 1024];
    try {
      while (open.size() < connections) {
        Socket socket = new Socket();
        open.add(socket);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 10_000);
        socket.getOutputStream().write(request);
        if (socket.getInputStream().read(answer) <= 0) {
          throw new IOException("the server closed it");
        }
      }
      return new OpenConnections(server.name(), connections, idle, residentMb(server));
    } catch (IOException e) {
      throw new IOException(
          server.name() + " did not answer on connection " + open.size() + " of " + connections + " (" + e.getMessage()
              + "): are its files too few (ulimit -n)? A node of Gatehouse keeps two of seven for connections to apps",
          e);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private static long residentMb(Server server) throws IOException, InterruptedException {
    Thread.sleep(1000);
    return server.processes().getFirst().treeResidentBytes() >> 20;
  }
}
