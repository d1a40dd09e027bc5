package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sealed file for each person, and one for the latest time that was seen; each change is on disk before anybody is let in. */
final class HeldFiles {

  private static final Logger LOG = LoggerFactory.getLogger(HeldFiles.class);

  private static final String ENDING = ".days";
  private static final String CLOCK = "clock";

  private final Path folder;
  private final MachineKey key;

  HeldFiles(Path folder, MachineKey key) {
    this.folder = folder;
    this.key = key;
  }

  /** Names of people say nothing in the folder, and cannot leave it. */
  private static String fileName(String person) {
    byte[] hash = Sha256.instance().digest(person.strip().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, 16) + ENDING;
  }

  Optional<HeldDays> find(String person) {
    return read(folder.resolve(fileName(person)));
  }

  List<HeldDays> all() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).flatMap(file -> read(file).stream()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
  }

  void remove(HeldDays held) {
    try {
      Files.deleteIfExists(folder.resolve(fileName(held.name())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The latest second that was seen; nothing if none was kept. */
  Optional<Long> clock() {
    return PrivateFiles.read(folder.resolve(CLOCK))
        .flatMap(sealed -> key.open(sealed, CLOCK))
        .map(bytes -> ByteBuffer.wrap(bytes).getLong());
  }

  void keepClock(long second) {
    replace(CLOCK, ByteBuffer.allocate(Long.BYTES).putLong(second).array());
  }

  private void replace(String name, byte[] content) {
    try {
      PrivateFiles.replace(folder.resolve(name), key.seal(content, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
