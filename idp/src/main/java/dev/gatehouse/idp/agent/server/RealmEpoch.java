package dev.gatehouse.idp.agent.server;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.idp.agent.server.Outcome.Answered;
import dev.gatehouse.idp.agent.server.Outcome.Deposed;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The highest epoch of a realm that an agent was told, on its disk before it counts. A server that tells a lower one was the realm's primary
 * until another was nominated, or follows that one: what it says does not count. Servers are believed as far as TLS says that they are
 * the realm's; one that lies could accept passcodes as well, and its epoch is forgotten by a command.
 */
public final class RealmEpoch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RealmEpoch.class);

  /** Before the first nomination; servers of a version that does not tell the epoch, and realms of one server, are there. */
  static final long FIRST = 1;

  /** The epoch rises by one with each nomination, which people give: a number far beyond the known one is none. */
  static final long MOST_AT_ONCE = 1_000;

  private static final int TOO_MANY = 429;

  private final String realm;
  private final Optional<Path> file;
  private final Optional<FileChannel> lock;
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
  private volatile long highest;

  private RealmEpoch(URI realm, Optional<Path> file, Optional<FileChannel> lock, long highest) {
    this.realm = realm.toString();
    this.file = file;
    this.lock = lock;
    this.highest = highest;
  }

  /** Opens the file in this folder; throws if it cannot be read or written, or another agent has it open. */
  public static RealmEpoch open(Path folder, URI realm) throws IOException {
    Path file = file(folder, realm);
    PrivateFiles.createFolder(folder);
    FileChannel lock = locked(file);
    try {
      RealmEpoch epoch = new RealmEpoch(realm, Optional.of(file), Optional.of(lock), read(file, realm));
      if (!Files.isWritable(folder)) {
        throw new IOException("it cannot be written to");
      }
      return epoch;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Reads the file, and keeps nothing: for a look beside a running agent. */
  public static RealmEpoch look(Path folder, URI realm) throws IOException {
    return new RealmEpoch(realm, Optional.empty(), Optional.empty(), read(file(folder, realm), realm));
  }

  /** Keeps the epoch in memory only. */
  public static RealmEpoch inMemory(long highest) {
    return new RealmEpoch(URI.create("https://localhost"), Optional.empty(), Optional.empty(), highest);
  }

  /**
   * Removes the file, while no agent has it open.
   *
   * @return the epoch that is forgotten; empty if there was none
   */
  public static Optional<Long> forget(Path folder, URI realm) throws IOException {
    Path file = file(folder, realm);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    FileChannel lock = locked(file);
    try {
      long former = readable(file, realm);
      Files.delete(file);
      PrivateFiles.force(folder);
      return Optional.of(former);
    } finally {
      lock.close();
    }
  }

  /** What cannot be read is forgotten, too. */
  private static long readable(Path file, URI realm) {
    try {
      return read(file, realm);
    } catch (IOException | FileUnreadable e) {
      LOG.warn("{} cannot be read", file, e);
      return 0;
    }
  }

  /** One for each realm, whose address is inside. */
  static Path file(Path folder, URI realm) {
    byte[] hash = Sha256.of(realm.toString());
    return folder.resolve("epoch-" + HexFormat.of().formatHex(hash, 0, 8) + ".json");
  }

  private static FileChannel locked(Path file) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".lock");
    FileChannel lock = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean isLocked = false;
    try {
      // Held until the channel is closed.
      isLocked = lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      LOG.debug("Another agent of this process", e);
    } finally {
      if (!isLocked) {
        lock.close();
      }
    }
    if (!isLocked) {
      throw new IOException("an agent of this realm has it open: stop that one, or write another folder");
    }
    return lock;
  }

  private static long read(Path file, URI realm) throws IOException {
    Optional<byte[]> content = PrivateFiles.read(file);
    if (content.isEmpty()) {
      return 0;
    }
    Optional<Map<String, Object>> json = StrictJson.object(content.get()).filter(found -> realm.toString().equals(found.get("realm")));
    @Nullable Object epoch = json.map(found -> found.get("epoch")).orElse(null);
    if (epoch instanceof Number number && number.longValue() >= FIRST) {
      return number.longValue();
    }
    throw new IOException(file + " has no epoch of " + realm + ": restore it, or give the command ./gatehouse agent --forget-epoch");
  }

  /** Returns the highest epoch that was told; 0 if none. */
  public long highest() {
    return highest;
  }

  /** Returns how many answers of servers did not count because of their epoch, since the agent started. */
  public long refusals() {
    return refused.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /**
   * Returns the answer if it counts.
   *
   * @param told the values of the field in the answer
   */
  Outcome checked(String server, List<String> told, Answered answer) {
    if (told.isEmpty() && (answer.status() == TOO_MANY || answer.status() >= 500)) {
      // A balancer or a node that starts says so, too; nobody is let in or turned away by it.
      return answer;
    }
    Optional<Long> epoch = told.isEmpty() ? Optional.of(FIRST) : told.size() == 1 ? number(told.getFirst()) : Optional.empty();
    if (epoch.isEmpty()) {
      return deposed(server, answer, "it tells no epoch that can be read");
    }
    long now = epoch.get();
    if (now > highest && !told.isEmpty() && !raise(server, now)) {
      return deposed(server, answer, "it tells the epoch " + now + ", far beyond " + highest + ", which was the last");
    }
    if (now < highest) {
      String tells = told.isEmpty() ? "it tells no epoch" : "it tells the epoch " + now;
      return deposed(server, answer, tells + ", and the realm is at " + highest + " since another server was nominated");
    }
    if (!refused.isEmpty()) {
      counts(server, now);
    }
    return answer;
  }

  private static Optional<Long> number(String text) {
    return text.matches("[1-9][0-9]{0,11}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }

  private synchronized boolean raise(String server, long epoch) {
    if (epoch <= highest) {
      return true;
    }
    if (epoch - highest > MOST_AT_ONCE) {
      return false;
    }
    file.ifPresent(to -> keep(to, epoch));
    if (highest > 0) {
      LOG.warn(
          "The realm's epoch is {} now, and was {}: {} tells so. Servers that tell a lower one are refused from now on", epoch, highest, server);
    }
    highest = epoch;
    return true;
  }

  private void keep(Path to, long epoch) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("realm", realm);
    json.put("epoch", epoch);
    try {
      PrivateFiles.replace(to, StrictJson.write(json) + "\n");
    } catch (IOException e) {
      // It counts all the same, until the agent stops.
      LOG.error("The realm's epoch {} cannot be kept in {}: {}", epoch, to, e.toString());
    }
  }

  private Deposed deposed(String server, Answered answer, String why) {
    refused.computeIfAbsent(
            server,
            first -> {
              LOG.error("{} is refused, as if it were down: {}", server, why);
              return new LongAdder();
            })
        .increment();
    return new Deposed(answer, why);
  }

  private void counts(String server, long epoch) {
    Optional.ofNullable(refused.remove(server))
        .ifPresent(count -> LOG.info("{} counts again, at the epoch {}; {} of its answers were refused", server, epoch, count.sum()));
  }

  @Override
  public void close() throws IOException {
    if (lock.isPresent()) {
      lock.get().close();
    }
  }
}
