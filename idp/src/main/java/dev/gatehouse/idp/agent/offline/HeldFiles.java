package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.throttle.LoginNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sealed file for each person, and one for what the agent knows about itself; each change is on disk before anybody is let in. One
 * process at a time opens them. In memory is a line for each person, because the codes of many would not fit. Callers that change
 * something hold its lock.
 */
final class HeldFiles implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HeldFiles.class);

  private static final String ENDING = ".days";
  private static final String STATE = "clock";
  private static final String LOCK = "lock";

  private final Path folder;
  private final MachineKey key;
  private final FileChannel lock;
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private volatile HeldState state;

  /** What is in a file, without codes. */
  record Line(String name, long until, int uses) {

    boolean hasUses() {
      return uses > 0;
    }
  }

  private HeldFiles(Path folder, MachineKey key, FileChannel lock) {
    this.folder = folder;
    this.key = key;
    this.lock = lock;
    this.state = readState();
  }

  /** Opens the folder; throws if another agent has it open. */
  static HeldFiles open(Path folder, MachineKey key) throws IOException {
    FileChannel lock = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (!isLocked(lock)) {
        throw new IOException("another agent has it open: give each a folder of its own");
      }
      HeldFiles files = new HeldFiles(folder, key, lock);
      files.list();
      return files;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static boolean isLocked(FileChannel lock) throws IOException {
    try {
      // Held until the channel is closed.
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private void list() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      files.filter(file -> file.toString().endsWith(ENDING)).forEach(
          file -> read(file).ifPresent(held -> lines.put(String.valueOf(file.getFileName()), line(held))));
    }
  }

  private static Line line(HeldDays held) {
    return new Line(held.name(), held.until(), held.tries().uses().size());
  }

  /** Names of people say nothing in the folder, and cannot leave it. Spellings that a directory may take for one share a file. */
  private static String fileName(String person) {
    byte[] hash = Sha256.of(LoginNames.counted(person));
    return HexFormat.of().formatHex(hash, 0, 16) + ENDING;
  }

  boolean holds(String person) {
    return lines.containsKey(fileName(person));
  }

  List<Line> all() {
    return List.copyOf(lines.values());
  }

  Optional<HeldDays> find(String person) {
    return holds(person) ? read(folder.resolve(fileName(person))) : Optional.empty();
  }

  private Optional<HeldDays> read(Path file) {
    Optional<HeldDays> held =
        PrivateFiles.read(file)
            .flatMap(sealed -> key.open(sealed, String.valueOf(file.getFileName())))
            .flatMap(
                bytes -> {
                  try {
                    return Optional.of(HeldDays.of(bytes));
                  } catch (IllegalArgumentException e) {
                    return Optional.empty();
                  }
                });
    if (held.isEmpty() && Files.exists(file)) {
      LOG.warn("{} is not what this agent keeps on this machine, and counts nothing", file);
    }
    return held;
  }

  void keep(HeldDays held) {
    String name = fileName(held.name());
    replace(name, held.toBytes());
    lines.put(name, line(held));
  }

  void remove(String person) {
    String name = fileName(person);
    try {
      Files.deleteIfExists(folder.resolve(name));
      lines.remove(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  HeldState state() {
    return state;
  }

  private HeldState readState() {
    try {
      return PrivateFiles.read(folder.resolve(STATE))
          .flatMap(sealed -> key.open(sealed, STATE))
          .map(HeldState::of)
          .orElse(HeldState.NOTHING);
    } catch (IllegalArgumentException e) {
      return HeldState.NOTHING;
    }
  }

  /** Keeps the state, if it is another one. */
  void keep(HeldState other) {
    if (!other.equals(state)) {
      replace(STATE, other.toBytes());
      state = other;
    }
  }

  private void replace(String name, byte[] content) {
    try {
      PrivateFiles.replace(folder.resolve(name), key.seal(content, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
