package dev.gatehouse.common.postgres;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** What identifies the data folder of a node among those of the deployment, and the number that the node had last. */
public final class DataFolder {

  private static final int INSTANCE_BYTES = 16;

  private final Path instance;
  private final Path index;
  private final SecureRandom random;

  public DataFolder(Path data, SecureRandom random) {
    this.instance = data.resolve("instance");
    this.index = data.resolve("index");
    this.random = random;
  }

  /** Returns what identifies it; empty before the first start of its node. */
  public static Optional<String> knownInstance(Path data) {
    return read(data.resolve("instance"));
  }

  /** Returns what identifies it: a node that was killed takes its own place again. */
  public String instance() {
    Optional<String> known = read(instance);
    if (known.isPresent()) {
      return known.get();
    }
    byte[] fresh = new byte[INSTANCE_BYTES];
    random.nextBytes(fresh);
    write(instance, HexFormat.of().formatHex(fresh));
    return HexFormat.of().formatHex(fresh);
  }

  /** Returns the number that the node had last, which it prefers among those that are free; 0 if it had none. */
  public int lastNumber() {
    return read(index).filter(number -> number.matches("\\d{1,5}")).map(Integer::parseInt).orElse(0);
  }

  /** Keeps the number that the node has. */
  public void keepNumber(int number) {
    if (!read(index).equals(Optional.of(String.valueOf(number)))) {
      write(index, String.valueOf(number));
    }
  }

  private static Optional<String> read(Path file) {
    return PrivateFiles.read(file).map(content -> new String(content, StandardCharsets.US_ASCII).strip());
  }

  private static void write(Path file, String content) {
    try {
      PrivateFiles.replace(file, content + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }

  /** Returns how people find the process of this node. */
  public static String host() {
    try {
      return InetAddress.getLocalHost().getHostName() + ", process " + ProcessHandle.current().pid();
    } catch (UnknownHostException e) {
      return "process " + ProcessHandle.current().pid();
    }
  }
}
