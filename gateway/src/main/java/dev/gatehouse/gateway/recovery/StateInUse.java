package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Checks whether a process has the stores open, by the locks of the engines. */
public final class StateInUse {

  private StateInUse() {}

  public static boolean isOpen(StateFolders folders) {
    return DataLock.holder(folders.data()).isPresent() || hasOpenEngine(folders);
  }

  /** Checked even if the caller holds the {@link DataLock}, because a node of the previous version does not take it. */
  static boolean hasOpenEngine(StateFolders folders) {
    return isLocked(folders.of(StoreName.ROCKSDB).resolve("LOCK"))
        || isLocked(folders.of(StoreName.H2).resolve("gatehouse.mv.db"));
  }

  private static boolean isLocked(Path file) {
    if (PrivateFiles.look(file).filter(BasicFileAttributes::isRegularFile).isEmpty()) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      throw new RecoveryFailed("Cannot look at " + file + ": " + e.getMessage(), e);
    }
  }
}
