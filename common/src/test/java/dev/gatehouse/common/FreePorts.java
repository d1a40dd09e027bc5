package dev.gatehouse.common;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Ports of loopback on which nobody listens now. They are below those that the kernel gives to outgoing connections and to
 * port 0 (32768 and above), so that none of these takes one before the server that is meant to listen there.
 */
public final class FreePorts {

  private static final int FIRST = 12_000;
  private static final int END = 32_000;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Set<Integer> TAKEN = new HashSet<>();

  private FreePorts() {}

  public static int one() {
    return take(1).getFirst();
  }

  /** All different from each other and from those of former calls. */
  public static synchronized List<Integer> take(int count) {
    return Stream.generate(() -> RANDOM.nextInt(FIRST, END)).filter(FreePorts::isFree).filter(TAKEN::add).limit(count).toList();
  }

  /** The first of that many ports in a row. */
  public static synchronized int inARow(int count) {
    return Stream.generate(() -> RANDOM.nextInt(FIRST, END - count))
        .filter(first -> IntStream.range(first, first + count).allMatch(port -> !TAKEN.contains(port) && isFree(port)))
        .peek(first -> IntStream.range(first, first + count).forEach(TAKEN::add))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
