package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of the command line to a running node for a backup, through files in {@code data/backup}, which only the
 * data's owner can write. The node checks the folder once a second, and writes the archive beside the request, or a
 * file with the reason of a failure.
 *
 * <p>The requesting command holds a lock on the request, and removes all of its files at the end. Files without such a
 * lock are left over from a killed command: the node removes them when it starts and before it writes the next archive,
 * because an archive contains the keys.
 */
public final class BackupRequests implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BackupRequests.class);
  private static final String FOLDER = "backup";
  private static final String ASKING = ".asking";
  private static final String REQUEST = ".request";
  private static final String TAKEN = ".taken";
  private static final String WRITING = ".writing";
  private static final String DONE = ".zip";
  private static final String FAILED = ".failed";
  private static final Duration UNTIL_TAKEN = Duration.ofSeconds(30);
  private static final Duration UNTIL_WRITTEN_AT_STOP = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 200;

  /** Writes a backup into that file. */
  public interface Work {
    void write(Path archive) throws IOException;
  }

  private final Path data;
  private final InstantSource time;
  private final Path folder;
  private final Work work;
  private final RepeatedTask poller;

  /** @param data the node's data directory, which no other process uses */
  public BackupRequests(Path data, InstantSource time, Work work) {
    this.data = data;
    this.time = time;
    this.folder = data.resolve(FOLDER);
    this.work = work;
    failInterrupted();
    poller = RepeatedTask.begin("backup", "Requests for a backup cannot be read", this::poll, UNTIL_WRITTEN_AT_STOP);
  }

  /** Removes the files that killed commands and nodes have left; called by the process that uses the data. */
  public static void removeLeftovers(Path data, InstantSource time) throws IOException {
    Path folder = data.resolve(FOLDER);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Files::isRegularFile)) {
      for (Path file : files) {
        boolean isInUse = stem(file).isEmpty() ? isBeginning(file, time) : isAwaited(folder, stem(file));
        if (!isInUse) {
          Files.deleteIfExists(file);
        }
      }
    } catch (NoSuchFileException e) {
      // There was no request yet.
    }
  }

  /** Notifies commands that wait for an earlier node that it has ended. */
  private void failInterrupted() {
    try {
      removeLeftovers(data, time);
      try (DirectoryStream<Path> taken = Files.newDirectoryStream(folder, "*" + TAKEN)) {
        for (Path each : taken) {
          fail(stem(each), "it was stopped meanwhile; ask again");
        }
      }
    } catch (NoSuchFileException e) {
      // There was no request yet.
    } catch (IOException e) {
      LOG.warn("Files of earlier backups cannot be removed from {}", folder, e);
    }
  }

  private void poll() throws IOException {
    try (DirectoryStream<Path> requests = Files.newDirectoryStream(folder, "*" + REQUEST)) {
      for (Path request : requests) {
        removeLeftovers(data, time);
        if (Files.exists(request)) {
          answer(request);
        }
      }
    } catch (NoSuchFileException e) {
      // There was no request yet.
    }
  }

  private void answer(Path request) throws IOException {
    String name = stem(request);
    Files.move(request, folder.resolve(name + TAKEN));
    try {
      // The command takes the archive as soon as it is there.
      work.write(folder.resolve(name + WRITING));
      Files.move(folder.resolve(name + WRITING), folder.resolve(name + DONE), StandardCopyOption.ATOMIC_MOVE);
    } catch (Throwable e) {
      LOG.error("A backup could not be written", e);
      fail(name, String.valueOf(e.getMessage()));
    }
    removeLeftovers(data, time);
  }

  private void fail(String name, String why) throws IOException {
    PrivateFiles.replace(folder.resolve(name + FAILED), why);
  }

  /** Lets a backup that is being written finish, because an interrupt would close the database's file. */
  @Override
  public void close() {
    poller.close();
  }

  /** The request's name; empty for a temporary file, whose name begins with a dot. */
  private static String stem(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, Math.max(0, name.indexOf('.')));
  }

  /** Returns whether the file is a request that is about to be locked. */
  private static boolean isBeginning(Path file, InstantSource time) throws IOException {
    return file.getFileName().toString().startsWith(ASKING)
        && Files.getLastModifiedTime(file).toInstant().plusSeconds(60).isAfter(time.instant());
  }

  private static boolean isAwaited(Path folder, String name) throws IOException {
    return !name.isEmpty() && (isLocked(folder.resolve(name + REQUEST)) || isLocked(folder.resolve(name + TAKEN)));
  }

  private static boolean isLocked(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Asks the node that has the data open, and waits.
   *
   * @param isRunning whether a node has the data open
   * @param delivery gets the archive, which is removed afterwards
   * @throws RecoveryFailed if the node does not write an archive, or ends before it has
   */
  public static void ask(Path data, RandomGenerator random, BooleanSupplier isRunning, Work delivery)
      throws IOException, InterruptedException {
    Path folder = data.resolve(FOLDER);
    PrivateFiles.createFolder(folder);
    byte[] id = new byte[8];
    random.nextBytes(id);
    String name = HexFormat.of().formatHex(id);
    Path beginning = Files.createTempFile(folder, ASKING, "");
    try (FileChannel channel = FileChannel.open(beginning, Set.of(StandardOpenOption.WRITE));
        FileLock lock = channel.lock()) {
      // Locked before the node sees it; the lock moves with the file.
      Files.move(beginning, folder.resolve(name + REQUEST));
      delivery.write(await(folder, name, isRunning));
      if (!lock.isValid()) {
        throw new IOException("The lock on " + folder + " was lost");
      }
    } finally {
      for (String ending : new String[] {REQUEST, TAKEN, FAILED, WRITING, DONE}) {
        Files.deleteIfExists(folder.resolve(name + ending));
      }
      Files.deleteIfExists(beginning);
    }
  }

  private static Path await(Path folder, String name, BooleanSupplier isRunning) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + UNTIL_TAKEN.toNanos();
    while (true) {
      // Read before the files are checked: a node that has written the archive and ended since then has not failed.
      boolean isOver = !isRunning.getAsBoolean();
      if (Files.exists(folder.resolve(name + DONE))) {
        return folder.resolve(name + DONE);
      }
      if (Files.exists(folder.resolve(name + FAILED))) {
        throw new RecoveryFailed("The node could not write a backup: " + Files.readString(folder.resolve(name + FAILED)));
      }
      if (isOver) {
        throw new RecoveryFailed("The node ended before it had written the backup; no file was written. Give the command again.");
      }
      if (Files.exists(folder.resolve(name + REQUEST)) && System.nanoTime() > giveUp) {
        throw new RecoveryFailed("The node that has the data open does not answer: is it of this version?");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
