package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the resident memory of a server: idle, and with many open connections that have received one response each.
 */
final class Memory {

  /**
   * The results in MB.
   *
   * @param connections the number of open connections
   */
  record Result(String server, int connections, long idleMb, long openMb) {}

  private Memory() {}

  static Result run(Measured server, int port, String target, int connections) throws IOException, InterruptedException {
    long idle = resident(server);
    List<Socket> open = new ArrayList<>();
    byte[] request =
        ("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    byte[] answer = new byte[64 * 1024];
    try {
      for (int i = 0; i < connections; i++) {
        Socket socket = new Socket();
        open.add(socket);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 10_000);
        OutputStream out = socket.getOutputStream();
        out.write(request);
        if (socket.getInputStream().read(answer) <= 0) {
          throw new IOException(server.name() + " closed connection " + i);
        }
      }
      return new Result(server.name(), connections, idle, resident(server));
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private static long resident(Measured server) throws IOException, InterruptedException {
    Thread.sleep(1000);
    long bytes = 0;
    for (ServerProcess process : server.processes().subList(0, 1)) {
      bytes += process.treeResidentBytes();
    }
    return bytes >> 20;
  }
}
