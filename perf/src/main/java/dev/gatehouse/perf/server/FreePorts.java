package dev.gatehouse.perf.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds ports that are free at the moment. */
public final class FreePorts {

  private FreePorts() {}

  public static int take() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
