package dev.gatehouse.common.installation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The boot of the operating system, as Linux identifies it. As long as it is the same, files contain everything that was
 * passed to the operating system. After another boot, data that were not forced to disk may be lost without any damage.
 *
 * @param id all zeros if it is not known
 */
public record BootId(UUID id) {

  public static final int BYTES = 2 * Long.BYTES;

  private static final BootId UNKNOWN = new BootId(new UUID(0, 0));
  private static final BootId CURRENT =
      read(Path.of("/proc/sys/kernel/random/boot_id")).orElse(UNKNOWN);

  public static BootId current() {
    return CURRENT;
  }

  /** Returns whether this boot is known and is the current one. */
  public boolean isCurrent() {
    return !equals(UNKNOWN) && equals(CURRENT);
  }

  public static BootId from(ByteBuffer bytes) {
    return new BootId(new UUID(bytes.getLong(), bytes.getLong()));
  }

  public void to(ByteBuffer bytes) {
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static Optional<BootId> read(Path file) {
    try {
      return Optional.of(new BootId(UUID.fromString(Files.readString(file).strip())));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
