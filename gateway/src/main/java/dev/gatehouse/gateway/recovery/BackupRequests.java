package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the command line asks the running node for a backup: by a file in {@code data/backup}, which the data's owner alone can
 * write. The node looks once a second, writes the archive beside it, or a file that says why not.
 */
public final class BackupRequests implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BackupRequests.class);
  private static final String REQUEST = ".request";
  private static final String TAKEN = ".taken";
  private static final String DONE = ".zip";
  private static final String FAILED = ".failed";
  private static final Duration UNTIL_TAKEN = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 200;

  /** Writes a backup into that file. */
  public interface Work {
    void write(Path archive) throws IOException;
  }

  private final Path folder;
  private final Work work;
  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("gatehouse-backup").daemon().factory());

  /** @param data the node's data directory */
  public BackupRequests(Path data, Work work) {
    this.folder = data.resolve("backup");
    this.work = work;
    looking.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  private void look() {
    try (DirectoryStream<Path> requests = Files.newDirectoryStream(folder, "*" + REQUEST)) {
      for (Path request : requests) {
        answer(request);
      }
    } catch (NoSuchFileException e) {
      // Nobody has asked yet.
    } catch (Throwable e) {
      // An Error too: what is thrown out of here would end this work for good.
      LOG.warn("Requests for a backup cannot be looked at", e);
    }
  }

  private void answer(Path request) throws IOException {
    String name = request.getFileName().toString().replace(REQUEST, "");
    Path taken = folder.resolve(name + TAKEN);
    Files.move(request, taken);
    try {
      work.write(folder.resolve(name + DONE));
    } catch (Throwable e) {
      LOG.error("A backup could not be written", e);
      Files.writeString(folder.resolve(name + FAILED), String.valueOf(e.getMessage()));
    } finally {
      Files.deleteIfExists(taken);
    }
  }

  @Override
  public void close() {
    looking.shutdownNow();
  }

  /**
   * Asks the node that has the data open, and waits.
   *
   * @return the archive, to be moved to where it is wanted
   */
  public static Path ask(Path data, RandomGenerator random) throws IOException, InterruptedException {
    Path folder = data.resolve("backup");
    PrivateFiles.createFolder(folder);
    byte[] id = new byte[8];
    random.nextBytes(id);
    String name = HexFormat.of().formatHex(id);
    Path request = folder.resolve(name + REQUEST);
    Files.createFile(request);
    try {
      return await(folder, name, request);
    } finally {
      Files.deleteIfExists(request);
      Files.deleteIfExists(folder.resolve(name + FAILED));
    }
  }

  private static Path await(Path folder, String name, Path request) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + UNTIL_TAKEN.toNanos();
    while (true) {
      if (Files.exists(folder.resolve(name + DONE))) {
        return folder.resolve(name + DONE);
      }
      if (Files.exists(folder.resolve(name + FAILED))) {
        throw new RecoveryFailed("The node could not write a backup: " + Files.readString(folder.resolve(name + FAILED)));
      }
      if (Files.exists(request) && System.nanoTime() > giveUp) {
        throw new RecoveryFailed("The node that has the data open does not answer: is it of this version?");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
