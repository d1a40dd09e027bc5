package dev.gatehouse.common.refusal;

import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.throttle.LogThrottle;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps traces in a folder, in files of at most a quarter of a day that are named after the millisecond in which they begin. One thread
 * writes; what it cannot take is lost and counted. Each client's address has a rate, so that nobody's refusals displace those of
 * others.
 */
public final class FileRefusalTraces implements RefusalTraces, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FileRefusalTraces.class);

  private static final String END = ".jsonl";
  private static final int QUEUE = 2048;
  private static final int MOST_FOUND = 50;
  private static final long FLUSH_MILLIS = 200;
  private static final long CLEAR_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Duration SPAN = Duration.ofHours(6);

  /**
   * The bounds of the folder.
   *
   * @param bytes of one file and of all files together
   * @param keep how long a trace is kept
   */
  public record Limits(long fileBytes, long bytes, Duration keep) {
    public static final Limits USUAL = new Limits(4L << 20, 96L << 20, Duration.ofDays(7));
  }

  private final Path folder;
  private final SealingKey sealing;
  private final InstantSource time;
  private final BooleanSupplier spaceIsLow;
  private final Limits limits;
  private final AuditRateLimit rate;
  private final BlockingQueue<Optional<RefusalTrace>> queue = new ArrayBlockingQueue<>(QUEUE);
  private final LongAdder lost = new LongAdder();
  private final LogThrottle failures = new LogThrottle();
  private final Thread thread;
  private volatile boolean closing;

  // Used by the thread that writes only; the times are as of System.nanoTime().
  private final List<RefusalTrace> block = new ArrayList<>();
  private long flushed = System.nanoTime();
  private long cleared = flushed - CLEAR_NANOS;

  /** Held while a file is written or replaced. */
  private final Object files = new Object();

  public FileRefusalTraces(Path folder, SealingKey sealing, InstantSource time, BooleanSupplier spaceIsLow, Limits limits) {
    this.folder = folder;
    this.sealing = sealing;
    this.time = time;
    this.spaceIsLow = spaceIsLow;
    this.limits = limits;
    this.rate = new AuditRateLimit(time);
    this.thread = Thread.ofPlatform().name("gatehouse-refusals").daemon().start(this::run);
  }

  @Override
  public void record(RefusalTrace trace) {
    if (closing || !admits(trace) || !queue.offer(Optional.of(trace))) {
      lost.increment();
    }
  }

  private boolean admits(RefusalTrace trace) {
    try {
      return rate.admits(InetAddress.ofLiteral(trace.asked().client()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns how many traces could not be kept since the start. */
  public long lost() {
    return lost.sum();
  }

  @Override
  public List<RefusalTrace> find(String requestId) throws IOException {
    Instant oldest = time.instant().minus(limits.keep());
    List<RefusalTrace> found = new ArrayList<>();
    for (Path file : files().reversed()) {
      for (RefusalTrace trace : new RefusalFile(file, sealing).find(requestId).reversed()) {
        if (found.size() < MOST_FOUND && trace.at().isAfter(oldest)) {
          found.add(trace);
        }
      }
    }
    return found;
  }

  @Override
  public int forget(String realm, String person) throws IOException {
    Predicate<RefusalTrace> theirs =
        trace ->
            trace.realm().equals(realm)
                && trace.subject().filter(who -> who.person().equals(person) || who.user().equals(person)).isPresent();
    int removed = 0;
    synchronized (files) {
      for (Path file : files()) {
        removed += new RefusalFile(file, sealing).remove(theirs);
      }
    }
    return removed;
  }

  /** The files, the oldest first. */
  private List<Path> files() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> begin(file).isPresent()).sorted().toList();
    }
  }

  private static Optional<Instant> begin(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.matches("\\d{13}\\.jsonl")
        ? Optional.of(Instant.ofEpochMilli(Long.parseLong(name.substring(0, name.length() - END.length()))))
        : Optional.empty();
  }

  private void run() {
    while (!closing || !queue.isEmpty()) {
      try {
        @Nullable Optional<RefusalTrace> next = queue.poll(FLUSH_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
          next.ifPresent(block::add);
        }
        boolean isDue = System.nanoTime() - flushed > TimeUnit.MILLISECONDS.toNanos(FLUSH_MILLIS);
        if (isDue || block.size() == RefusalFile.BLOCK) {
          flush();
        }
      } catch (InterruptedException e) {
        closing = true;
      } catch (IOException | RuntimeException e) {
        failed(e);
      }
    }
    try {
      flush();
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  /** Writes what waits, and removes what is too old or too much. */
  private void flush() throws IOException {
    flushed = System.nanoTime();
    if (block.isEmpty() && flushed - cleared < CLEAR_NANOS) {
      return;
    }
    synchronized (files) {
      cleared = flushed;
      removeOld();
      if (block.isEmpty()) {
        return;
      }
      if (spaceIsLow.getAsBoolean()) {
        throw new IOException("space is low");
      }
      PrivateFiles.createFolder(folder);
      current().append(block);
      block.clear();
    }
  }

  private void removeOld() throws IOException {
    Instant oldest = time.instant().minus(limits.keep());
    List<Path> all = files();
    long bytes = 0;
    for (Path file : all.reversed()) {
      bytes += Files.size(file);
      if (bytes > limits.bytes() || begin(file).orElse(Instant.MAX).isBefore(oldest)) {
        Files.deleteIfExists(file);
      }
    }
  }

  private RefusalFile current() throws IOException {
    List<Path> all = files();
    Instant now = time.instant();
    if (!all.isEmpty()) {
      Path last = all.getLast();
      Instant begun = begin(last).orElse(Instant.MIN);
      if (Files.size(last) < limits.fileBytes() && now.isBefore(begun.plus(SPAN))) {
        return new RefusalFile(last, sealing);
      }
      // The clock may have been set back, and the newest file must remain the last one.
      now = now.isAfter(begun) ? now : begun.plusMillis(1);
    }
    return new RefusalFile(folder.resolve("%013d%s".formatted(now.toEpochMilli(), END)), sealing);
  }

  private void failed(Exception e) {
    lost.add(block.size());
    block.clear();
    failures.count().ifPresent(times -> LOG.warn("Traces of refusals are not kept ({} failures since the start): {}", times, e.toString()));
  }

  @Override
  public void close() {
    closing = true;
    // Wakes the thread; if the queue is full, it is awake.
    boolean woken = queue.offer(Optional.empty());
    try {
      thread.join(woken ? 5_000 : 10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
