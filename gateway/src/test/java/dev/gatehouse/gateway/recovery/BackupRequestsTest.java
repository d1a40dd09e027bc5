package dev.gatehouse.gateway.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups that a running node is asked for, where one of both ends meanwhile. */
@Timeout(120)
class BackupRequestsTest {

  @TempDir Path data;

  private void ask(AtomicBoolean isRunning, Path to) throws IOException, InterruptedException {
    BackupRequests.ask(data, new SecureRandom(), isRunning::get, archive -> BackupArchive.copy(archive, to));
  }

  private Future<?> asking(ExecutorService threads, AtomicBoolean isRunning) {
    return threads.submit(
        () -> {
          ask(isRunning, data.resolve("wanted.zip"));
          return "";
        });
  }

  private BackupRequests node(BackupRequests.Work work) {
    return new BackupRequests(data, InstantSource.system(), work);
  }

  private void nothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("backup"))) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void deliversTheArchiveAndLeavesNothing() throws Exception {
    Path to = data.resolve("wanted.zip");
    try (BackupRequests requests = node(archive -> Files.writeString(archive, "content"))) {
      ask(new AtomicBoolean(true), to);
    }
    assertThat(to).hasContent("content");
    nothingIsLeft();
  }

  @Test
  void endsWhereTheNodeHasEndedBeforeItSawTheRequest() throws IOException {
    assertThatExceptionOfType(RecoveryFailed.class)
        .isThrownBy(() -> ask(new AtomicBoolean(), data.resolve("wanted.zip")))
        .withMessageContaining("The node ended before it had written the backup");
    assertThat(data.resolve("wanted.zip")).doesNotExist();
    nothingIsLeft();
  }

  @Test
  void endsWhereTheNodeIsKilledWhileItWrites() throws Exception {
    AtomicBoolean isRunning = new AtomicBoolean(true);
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch killed = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        BackupRequests node =
            node(
                archive -> {
                  Files.writeString(archive.resolveSibling(".backup123.zip"), "half");
                  writing.countDown();
                  await(killed);
                })) {
      Future<?> asking = asking(threads, isRunning);
      writing.await();
      isRunning.set(false);
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(asking::get)
          .withMessageContaining("The node ended before it had written the backup");
      assertThat(data.resolve("wanted.zip")).doesNotExist();
      killed.countDown();
    }
    node(archive -> {}).close();
    nothingIsLeft();
  }

  @Test
  void tellsThoseWhoStillWaitThatTheNodeWasStartedAgain() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        BackupRequests killed =
            node(
                archive -> {
                  writing.countDown();
                  await(over);
                })) {
      Future<?> asking = asking(threads, new AtomicBoolean(true));
      writing.await();
      try (BackupRequests next = node(archive -> {})) {
        assertThatExceptionOfType(ExecutionException.class)
            .isThrownBy(asking::get)
            .withMessageContaining("it was stopped meanwhile; ask again");
      }
      over.countDown();
    }
  }

  @Test
  void removesWhatKilledCommandsAndNodesHaveLeftAndNothingThatIsAwaited() throws IOException {
    Path folder = Files.createDirectories(data.resolve("backup"));
    for (String name : new String[] {"aa.request", "bb.taken", "bb.zip", "cc.zip", "dd.failed", ".backup1.zip", ".h22.zip", ".asking1"}) {
      Files.writeString(folder.resolve(name), "secret");
    }
    Files.setLastModifiedTime(folder.resolve(".asking1"), FileTime.from(Instant.now().minusSeconds(120)));
    Path awaited = Files.writeString(folder.resolve("ee.taken"), "");
    Files.writeString(folder.resolve("ee.zip"), "archive");
    try (FileChannel channel = FileChannel.open(awaited, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      BackupRequests.removeLeftovers(data, InstantSource.system());
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).containsExactlyInAnyOrder(awaited, folder.resolve("ee.zip"));
      }
    }
    node(archive -> {}).close();
    nothingIsLeft();
  }

  /** An interrupt closes the file of a database that is being read (ClosedByInterruptException). */
  @Test
  void aStopDoesNotInterruptABackup() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    AtomicBoolean wasInterrupted = new AtomicBoolean();
    BackupRequests node =
        node(
            archive -> {
              writing.countDown();
              wasInterrupted.set(pauseIsInterrupted());
              Files.writeString(archive, "content");
            });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> asking = asking(threads, new AtomicBoolean(true));
      writing.await();
      node.close();
      asking.get();
    }
    assertThat(wasInterrupted).isFalse();
    assertThat(data.resolve("wanted.zip")).hasContent("content");
  }

  private static boolean pauseIsInterrupted() {
    try {
      Thread.sleep(500);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
