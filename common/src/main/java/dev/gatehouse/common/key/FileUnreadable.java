package dev.gatehouse.common.key;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** A file of the stored state cannot be inspected or read: its content is unknown, so it must not count as missing. */
public final class FileUnreadable extends RuntimeException {

  private static final long serialVersionUID = 1;

  public FileUnreadable(Path file, IOException cause) {
    super(sentence(file, cause), cause);
  }

  private static String sentence(Path file, IOException cause) {
    if (!(cause instanceof AccessDeniedException)) {
      return file + " cannot be opened: " + reason(cause) + ". It is not taken for missing.";
    }
    return file + " cannot be opened: user " + System.getProperty("user.name") + " has no permission" + nearest(file)
        + ". It is not taken for missing: give the data back to the user that runs the node (chown -R), or run it as that user.";
  }

  private static String reason(IOException cause) {
    return cause instanceof FileSystemException system && system.getReason() != null
        ? system.getReason()
        : String.valueOf(cause.getMessage());
  }

  /** Describes the permissions of the file, or of the first folder above it that can be inspected. */
  private static String nearest(Path file) {
    for (Path at = file.toAbsolutePath(); at != null; at = at.getParent()) {
      Optional<PosixFileAttributes> attributes = attributes(at);
      if (attributes.isPresent()) {
        return " (" + at + " is " + PosixFilePermissions.toString(attributes.get().permissions()) + " of "
            + attributes.get().owner().getName() + ")";
      }
    }
    return "";
  }

  private static Optional<PosixFileAttributes> attributes(Path file) {
    try {
      return Optional.of(Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
