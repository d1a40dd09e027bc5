package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the command line asks the running node for a backup: by a file in {@code data/backup}, which the data's owner alone can
 * write. The node looks once a second, writes the archive beside it, or a file that says why not.
 *
 * <p>Who asks holds a lock on the request and removes all of its files at the end. Files without such a lock are those of
 * somebody who was killed: the node removes them when it starts and before it writes the next archive, since an archive has
 * the keys in it.
 */
public final class BackupRequests implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BackupRequests.class);
  private static final String FOLDER = "backup";
  private static final String ASKING = ".asking";
  private static final String REQUEST = ".request";
  private static final String TAKEN = ".taken";
  private static final String DONE = ".zip";
  private static final String FAILED = ".failed";
  private static final Duration UNTIL_TAKEN = Duration.ofSeconds(30);
  private static final Duration UNTIL_WRITTEN_AT_STOP = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 200;

  /** Writes a backup into that file. */
  public interface Work {
    void write(Path archive) throws IOException;
  }

  private final Path data;
  private final Path folder;
  private final Work work;
  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("gatehouse-backup").daemon().factory());

  /** @param data the node's data directory, which nobody else works on */
  public BackupRequests(Path data, Work work) {
    this.data = data;
    this.folder = data.resolve(FOLDER);
    this.work = work;
    endFormer();
    looking.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  /** Removes what commands and nodes that were killed have left; by the process that works on the data. */
  public static void removeLeftovers(Path data) throws IOException {
    Path folder = data.resolve(FOLDER);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Files::isRegularFile)) {
      for (Path file : files) {
        boolean isKept = stem(file).isEmpty() ? isBeginning(file) : isAwaited(folder, stem(file));
        if (!isKept) {
          Files.deleteIfExists(file);
        }
      }
    } catch (NoSuchFileException e) {
      // Nobody has asked yet.
    }
  }

  /** Tells those who wait for a node before this one that it has ended. */
  private void endFormer() {
    try {
      removeLeftovers(data);
      try (DirectoryStream<Path> taken = Files.newDirectoryStream(folder, "*" + TAKEN)) {
        for (Path each : taken) {
          fail(stem(each), "it was stopped meanwhile; ask again");
        }
      }
    } catch (NoSuchFileException e) {
      // Nobody has asked yet.
    } catch (IOException e) {
      LOG.warn("What is left of earlier backups cannot be removed from {}", folder, e);
    }
  }

  /** Whether the log has said that it does not work; of the looking thread alone. */
  private boolean told;

  private void look() {
    try (DirectoryStream<Path> requests = Files.newDirectoryStream(folder, "*" + REQUEST)) {
      for (Path request : requests) {
        removeLeftovers(data);
        if (Files.exists(request)) {
          answer(request);
        }
      }
    } catch (NoSuchFileException e) {
      // Nobody has asked yet.
    } catch (Throwable e) {
      // An Error too: what is thrown out of here would end this work for good.
      if (!told) {
        // Once until it works again: it is tried each second.
        LOG.warn("Requests for a backup cannot be looked at", e);
        told = true;
      }
      return;
    }
    told = false;
  }

  private void answer(Path request) throws IOException {
    String name = stem(request);
    Files.move(request, folder.resolve(name + TAKEN));
    try {
      work.write(folder.resolve(name + DONE));
    } catch (Throwable e) {
      LOG.error("A backup could not be written", e);
      fail(name, String.valueOf(e.getMessage()));
    }
    removeLeftovers(data);
  }

  private void fail(String name, String why) throws IOException {
    PrivateFiles.replace(folder.resolve(name + FAILED), why);
  }

  /** Lets a backup that is being written end: an interrupt would close the database's file. */
  @Override
  public void close() {
    looking.shutdown();
    try {
      if (!looking.awaitTermination(UNTIL_WRITTEN_AT_STOP.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("A backup was still being written when the node stopped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The request's name; that of a temporary file, which begins with a dot, is empty. */
  private static String stem(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, Math.max(0, name.indexOf('.')));
  }

  /** A request that is locked in the next moment. */
  private static boolean isBeginning(Path file) throws IOException {
    return file.getFileName().toString().startsWith(ASKING)
        && Files.getLastModifiedTime(file).toInstant().plusSeconds(60).isAfter(Instant.now());
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
   * @throws RecoveryFailed where the node does not write one, or ends before it has
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
      for (String ending : new String[] {REQUEST, TAKEN, FAILED, DONE}) {
        Files.deleteIfExists(folder.resolve(name + ending));
      }
      Files.deleteIfExists(beginning);
    }
  }

  private static Path await(Path folder, String name, BooleanSupplier isRunning) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + UNTIL_TAKEN.toNanos();
    while (true) {
      // Asked before the look at the files: a node that wrote the archive and ended since has not failed.
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
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
