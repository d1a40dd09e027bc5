package dev.gatehouse.common.snapshot;

import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.key.SealingKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies in {@code data/snapshot} of what a node needs to start while the database is away. Each part is a file with a version, sealed by
 * the master key. The highest versions are noted in a file of their own: a part that is older than what this node has seen is refused.
 *
 * <p>Whoever puts the whole folder back to an earlier state has an earlier state: that cannot be noticed without the database.
 */
public final class LocalSnapshot {

  private static final Logger LOG = LoggerFactory.getLogger(LocalSnapshot.class);
  private static final String PURPOSE = "snapshot";
  private static final String SEEN = "seen";
  private static final byte VERSION = 1;

  /** Ten thousand partners with their metadata have half of it. */
  private static final int MOST_BYTES = 64 << 20;

  /** What is kept. */
  public enum Part {
    INSTALLATION("installation"),
    /** The sequence that the other store acknowledged; its version is all that it is. */
    SEQUENCE("sequence"),
    KEYS("keys"),
    REVISION("revision"),
    SWITCHES("switches");

    private final String file;

    Part(String file) {
      this.file = file;
    }
  }

  /** A part as it was kept. */
  public record Kept(long version, byte[] content) {}

  private final Path folder;
  private final SealingKey master;
  private final String deployment;
  private final Map<Part, Kept> known = new EnumMap<>(Part.class);
  /** Parts that could not be written: they are tried again with the next part, whichever it is. */
  private final Map<Part, Kept> unwritten = new EnumMap<>(Part.class);

  private volatile String problem = "";

  /** @param deployment the name of the deployment, for which the parts are sealed */
  public LocalSnapshot(Path folder, SealingKey master, String deployment) {
    this.folder = folder;
    this.master = master;
    this.deployment = deployment;
  }

  /**
   * Keeps the record of the installation, as the database has it. If it is another one, or cannot be read, everything begins anew: after a
   * recovery the database counts from where its backup ended.
   */
  public synchronized void begin(long generation, byte[] record) {
    boolean isSame;
    try {
      isSame = read(Part.INSTALLATION).filter(kept -> kept.version() == generation && Arrays.equals(kept.content(), record)).isPresent();
    } catch (SnapshotRefused e) {
      LOG.warn("{}. PostgreSQL answers: the snapshot is made again.", e.getMessage());
      isSame = false;
    }
    if (!isSame) {
      known.clear();
      unwritten.clear();
      try {
        Files.deleteIfExists(folder.resolve(SEEN));
        for (Part part : Part.values()) {
          Files.deleteIfExists(folder.resolve(part.file));
        }
      } catch (IOException e) {
        problem = "The snapshot for a start without the database cannot be removed: " + e.getMessage();
        LOG.warn("The snapshot for a start without the database cannot be removed", e);
      }
    }
    keep(Part.INSTALLATION, generation, record);
  }

  /**
   * Keeps a part on disk. An older version than is kept changes nothing. One that cannot be written is a {@link #problem}, and is tried
   * again with the next part.
   */
  public synchronized void keep(Part part, long version, byte[] content) {
    Kept waiting = unwritten.get(part);
    if (waiting == null || waiting.version() <= version) {
      unwritten.put(part, new Kept(version, content.clone()));
    }
    String failed = "";
    for (Map.Entry<Part, Kept> each : Map.copyOf(unwritten).entrySet()) {
      try {
        store(each.getKey(), each.getValue());
        unwritten.remove(each.getKey());
      } catch (IOException | SnapshotRefused e) {
        if (problem.isEmpty()) {
          LOG.warn("The snapshot for a start without the database cannot be kept", e);
        }
        failed = "The snapshot for a start without the database cannot be kept (" + each.getKey().file + "): " + e.getMessage();
      }
    }
    problem = failed;
  }

  private void store(Part part, Kept wanted) throws IOException {
    Kept before = known.get(part);
    boolean isSame = before != null && wanted.version() == before.version() && Arrays.equals(wanted.content(), before.content());
    if (isSame || before != null && wanted.version() < before.version()) {
      return;
    }
    byte[] content = wanted.content();
    if (content.length > MOST_BYTES) {
      throw new IOException("it has " + (content.length >> 20) + " MB of at most " + (MOST_BYTES >> 20));
    }
    PrivateFiles.createFolder(folder);
    Map<Part, Long> seen = Files.exists(folder.resolve(SEEN)) ? seen() : new EnumMap<>(Part.class);
    if (seen.getOrDefault(part, 0L) > wanted.version()) {
      return;
    }
    if (seen.isEmpty()) {
      write(SEEN, noted(seen));
    }
    write(part.file, ByteBuffer.allocate(Long.BYTES + content.length).putLong(wanted.version()).put(content).array());
    seen.put(part, wanted.version());
    write(SEEN, noted(seen));
    known.put(part, wanted);
  }

  /** Returns why the parts are not kept; empty if they are. */
  public Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }

  /**
   * Returns a part; empty if there is none.
   *
   * @throws SnapshotRefused if it was changed, is another deployment's, or is older than what this node has seen
   */
  public synchronized Optional<Kept> read(Part part) {
    if (!Files.exists(folder.resolve(part.file)) && !Files.exists(folder.resolve(SEEN))) {
      return Optional.empty();
    }
    long least = seen().getOrDefault(part, 0L);
    if (!Files.exists(folder.resolve(part.file))) {
      if (least > 0) {
        throw refused(part.file, "is missing", null);
      }
      return Optional.empty();
    }
    ByteBuffer opened = ByteBuffer.wrap(open(part.file));
    long version = opened.getLong();
    if (version < least) {
      throw refused(part.file, "is older than what this node has seen (version " + version + " after " + least + ")", null);
    }
    byte[] content = new byte[opened.remaining()];
    opened.get(content);
    Kept kept = new Kept(version, content);
    known.put(part, kept);
    return Optional.of(kept);
  }

  private static byte[] noted(Map<Part, Long> seen) {
    ByteBuffer bytes = ByteBuffer.allocate(Part.values().length * Long.BYTES);
    for (Part part : Part.values()) {
      bytes.putLong(seen.getOrDefault(part, 0L));
    }
    return bytes.array();
  }

  private Map<Part, Long> seen() {
    ByteBuffer bytes = ByteBuffer.wrap(open(SEEN));
    Map<Part, Long> seen = new EnumMap<>(Part.class);
    for (Part part : Part.values()) {
      // The version before may have fewer parts; new ones are added at the end.
      seen.put(part, bytes.hasRemaining() ? bytes.getLong() : 0);
    }
    return seen;
  }

  /** The name of the deployment is in front, so that another deployment's file is called that. */
  private void write(String name, byte[] content) throws IOException {
    byte[] owner = deployment.getBytes(StandardCharsets.UTF_8);
    byte[] sealed = master.seal(content, PURPOSE, deployment, name);
    PrivateFiles.replace(
        folder.resolve(name),
        ByteBuffer.allocate(2 + owner.length + sealed.length).put(VERSION).put((byte) owner.length).put(owner).put(sealed).array());
  }

  private byte[] open(String name) {
    byte[] bytes =
        PrivateFiles.read(folder.resolve(name)).orElseThrow(() -> refused(name, "is missing", null));
    int length = bytes.length < 2 || bytes[0] != VERSION ? -1 : bytes[1] & 0xff;
    if (length < 0 || bytes.length < 2 + length) {
      throw refused(name, "has another format", null);
    }
    String owner = new String(bytes, 2, length, StandardCharsets.UTF_8);
    if (!owner.equals(deployment)) {
      throw refused(name, "belongs to the deployment " + owner + ", and this node to " + deployment, null);
    }
    try {
      return master.open(Arrays.copyOfRange(bytes, 2 + length, bytes.length), PURPOSE, deployment, name);
    } catch (RuntimeException e) {
      throw refused(name, "was changed, or another master key sealed it", e);
    }
  }

  private SnapshotRefused refused(String name, String what, @Nullable Throwable cause) {
    String sentence =
        "The snapshot " + folder.resolve(name) + " " + what + ": remove the folder, and start the node when PostgreSQL answers";
    return cause == null ? new SnapshotRefused(sentence) : new SnapshotRefused(sentence, cause);
  }
}
