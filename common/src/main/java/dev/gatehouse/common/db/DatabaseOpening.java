package dev.gatehouse.common.db;

import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreName;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.h2.api.ErrorCode;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;

/** Opens H2 and reads its whole file, so that damage is found at start and not by the first request that needs a page. */
final class DatabaseOpening {

  private static final String FILE = "jdbc:h2:" + CheckedFilePath.SCHEME + ":";

  private static final Set<Integer> DAMAGE =
      Set.of(ErrorCode.FILE_CORRUPTED_1, ErrorCode.FILE_VERSION_ERROR_1, ErrorCode.FILE_ENCRYPTION_ERROR_1);

  /** Errors that do not mean damage: the file is open elsewhere, or the disk is full. */
  private static final Set<Integer> OTHER_CAUSES =
      Set.of(DataUtils.ERROR_FILE_LOCKED, DataUtils.ERROR_WRITING_FAILED, DataUtils.ERROR_CLOSED);

  static {
    CheckedFilePath.register();
  }

  private DatabaseOpening() {}

  /** @param database the file without {@code .mv.db} */
  static String url(Path database) {
    return FILE + database;
  }

  /** Returns damage found after opening, as the end of the sentence; empty if none was found. */
  static Optional<String> damageFound(String url) {
    return url.startsWith(FILE)
        ? CheckedFile.open(file(url)).flatMap(CheckedFile::damage).map(what -> file(url) + " " + what)
        : Optional.empty();
  }

  /** @throws StoreDamaged if the content of the file cannot be read */
  static Connection open(String url, String user) {
    Connection opened;
    try {
      opened = DriverManager.getConnection(url, user, "");
    } catch (SQLException e) {
      if (url.startsWith(FILE) && isDamage(e)) {
        throw damaged(url, e);
      }
      throw new DatabaseUnavailable("The database cannot be opened: " + e.getMessage(), e);
    }
    if (!url.startsWith(FILE)) {
      return opened;
    }
    try {
      DatabaseFile.verify(opened);
      return opened;
    } catch (SQLException | FileDamaged | RuntimeException e) {
      close(opened);
      throw damaged(url, e);
    }
  }

  private static boolean isDamage(SQLException failure) {
    if (found(failure).isPresent()) {
      return true;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      boolean isByContent = cause instanceof MVStoreException store && !OTHER_CAUSES.contains(store.getErrorCode());
      if (isByContent || cause instanceof SQLException sql && DAMAGE.contains(sql.getErrorCode())) {
        return true;
      }
    }
    return false;
  }

  private static Optional<FileDamaged> found(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FileDamaged damaged) {
        return Optional.of(damaged);
      }
    }
    return Optional.empty();
  }

  private static StoreDamaged damaged(String url, Exception cause) {
    String what = found(cause).map(Throwable::getMessage).orElseGet(() -> firstLine(cause));
    return new StoreDamaged(StoreName.H2, file(url), "is damaged (" + what + ")", cause);
  }

  private static Path file(String url) {
    int end = url.indexOf(';');
    return Path.of(url.substring(FILE.length(), end < 0 ? url.length() : end) + ".mv.db");
  }

  private static String firstLine(Exception cause) {
    String message = String.valueOf(cause.getMessage());
    return message.lines().findFirst().orElse(message);
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // The database is damaged: an error from closing adds nothing.
    }
  }
}
