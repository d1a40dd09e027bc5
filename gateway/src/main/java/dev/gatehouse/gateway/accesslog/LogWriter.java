package dev.gatehouse.gateway.accesslog;

import dev.gatehouse.common.node.AccessLogConfig;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that writes to the disk, and the batches that circulate between it and the event loops. */
final class LogWriter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  /** The batches together are 8 MB, about 50,000 lines: one second of a stalled disk under full load. */
  private static final int MAX_BATCHES = 64;

  private static final int BATCH_BYTES = 128 * 1024;
  private static final long LAST_WAIT_MILLIS = 5_000;

  /** A batch of lines. */
  static final class Batch {
    private final byte[] bytes = new byte[BATCH_BYTES];
    int length;
    int lines;

    byte[] bytes() {
      return bytes;
    }
  }

  private final RotatedFile file;
  private final BlockingQueue<Batch> full = new ArrayBlockingQueue<>(MAX_BATCHES + 1);
  private final BlockingQueue<Batch> empty = new ArrayBlockingQueue<>(MAX_BATCHES);
  private final AtomicInteger made = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private final Batch last = new Batch();
  private final Thread thread;
  private boolean failing;

  /** @throws IOException if the file cannot be opened */
  LogWriter(AccessLogConfig config) throws IOException {
    this.file = new RotatedFile(config.file(), config.maxFileBytes(), config.keep());
    this.thread = Thread.ofPlatform().daemon().name("access-log").unstarted(this::run);
    thread.start();
  }

  /** An empty batch; null if all batches wait for the disk. */
  @Nullable Batch empty() {
    Batch used = empty.poll();
    if (used != null) {
      return used;
    }
    if (made.get() < MAX_BATCHES && made.incrementAndGet() <= MAX_BATCHES) {
      return new Batch();
    }
    return null;
  }

  /** Takes a full batch; never waits, because the queue has space for all batches. */
  void take(Batch batch) {
    if (!full.offer(batch)) {
      drop(batch.lines);
    }
  }

  void drop(int lines) {
    dropped.add(lines);
  }

  /** The number of dropped lines. */
  long dropped() {
    return dropped.sum();
  }

  private void run() {
    try {
      for (Batch batch = full.take(); batch != last; batch = full.take()) {
        write(batch);
        batch.lines = 0;
        batch.length = 0;
        boolean kept = empty.offer(batch);
        assert kept : "there are no more batches than places";
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      file.close();
    }
  }

  private void write(Batch batch) {
    try {
      file.write(batch.bytes, batch.length);
      failing = false;
    } catch (IOException e) {
      drop(batch.lines);
      if (!failing) {
        failing = true;
        LOG.error("The access log cannot be written; its lines are dropped until it can", e);
      }
    }
  }

  /** Writes all pending batches, and ends the thread. */
  @Override
  public void close() {
    try {
      if (full.offer(last, LAST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        thread.join(LAST_WAIT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
