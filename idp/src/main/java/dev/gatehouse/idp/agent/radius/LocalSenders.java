package dev.gatehouse.idp.agent.radius;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who sends datagrams on this host, by the kernel's tables of sockets: root, the agent's own user and those that the configuration names. A
 * packet without signature says too little about the secret: its bytes can be tried until they fit.
 */
final class LocalSenders {

  private static final int LOCAL_ADDRESS = 1;
  private static final int USER = 7;

  private final List<Path> tables;
  private final Set<Long> users;

  LocalSenders(List<Path> tables, Set<Long> users) {
    this.tables = List.copyOf(tables);
    this.users = Set.copyOf(users);
  }

  /** Finds the IDs of users; throws with one that this host does not know. */
  static LocalSenders of(Set<String> names) throws IOException {
    Set<Long> users = new HashSet<>();
    users.add(0L);
    users.add(((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue());
    for (String name : names) {
      users.add(id(name));
    }
    return new LocalSenders(List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6")), users);
  }

  private static long id(String name) throws IOException {
    Process process = new ProcessBuilder("id", "-u", "--", name).redirectErrorStream(true).start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (!answer.matches("\\d{1,10}")) {
      throw new IOException("there is no user `" + name + "` of radius.users: " + answer);
    }
    return Long.parseLong(answer);
  }

  /** Returns whether the sender's socket is there, and is of one of the users. */
  boolean isOurs(InetSocketAddress sender) throws IOException {
    List<String> addresses = written(sender);
    List<Long> owners = new ArrayList<>();
    for (Path table : tables) {
      if (Files.exists(table)) {
        try (Stream<String> lines = Files.lines(table)) {
          lines
              .map(line -> line.strip().split("\\s+"))
              .filter(fields -> fields.length > USER && addresses.contains(fields[LOCAL_ADDRESS]))
              .forEach(fields -> owners.add(Long.valueOf(fields[USER])));
        }
      }
    }
    return !owners.isEmpty() && users.containsAll(owners);
  }

  /** The forms that the sender's address has in the tables: its own, and those of sockets of any address. */
  private static List<String> written(InetSocketAddress sender) {
    byte[] address = sender.getAddress().getAddress();
    String port = String.format(Locale.ROOT, ":%04X", sender.getPort());
    List<String> all = new ArrayList<>();
    all.add(words(address) + port);
    all.add("0".repeat(8) + port);
    all.add("0".repeat(32) + port);
    if (address.length == 4) {
      byte[] mapped = new byte[16];
      mapped[10] = -1;
      mapped[11] = -1;
      System.arraycopy(address, 0, mapped, 12, 4);
      all.add(words(mapped) + port);
    }
    return all;
  }

  /** Words of four bytes, each as this machine stores a number. */
  private static String words(byte[] address) {
    byte[] turned = address.clone();
    if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      for (int i = 0; i < turned.length; i++) {
        turned[i] = address[i - i % 4 + 3 - i % 4];
      }
    }
    return HexFormat.of().withUpperCase().formatHex(turned);
  }
}
