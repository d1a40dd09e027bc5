package dev.gatehouse.gateway.tracing;

import dev.gatehouse.common.throttle.LogThrottle;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends ended spans in batches. Requests only put them into a queue; what the queue or the collector does not take is dropped and
 * counted.
 */
final class SpanExport implements SpanProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(SpanExport.class);

  static final int QUEUE = 4096;
  private static final int BATCH = 512;
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long PATIENCE_SECONDS = 12;
  private static final Duration UNTIL_ENDED = Duration.ofSeconds(2);

  private final SpanExporter exporter;
  private final BlockingQueue<Optional<ReadableSpan>> queue = new ArrayBlockingQueue<>(QUEUE);
  private final LongAdder exported = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LogThrottle failures = new LogThrottle();
  private final Thread thread;
  private volatile boolean closing;

  SpanExport(SpanExporter exporter) {
    this.exporter = exporter;
    this.thread = Thread.ofPlatform().name("gatehouse-tracing").daemon().start(this::run);
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (closing || !queue.offer(Optional.of(span))) {
      dropped.increment();
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  /** Spans that the collector has taken. */
  long exported() {
    return exported.sum();
  }

  /** Spans that were lost. */
  long dropped() {
    return dropped.sum();
  }

  private void run() {
    List<SpanData> batch = new ArrayList<>(BATCH);
    while (!closing || !queue.isEmpty()) {
      try {
        gather(batch);
      } catch (InterruptedException e) {
        closing = true;
      }
      if (!batch.isEmpty()) {
        send(batch);
        batch.clear();
      }
    }
  }

  /** Waits for a span, and then a moment for others. */
  private void gather(List<SpanData> batch) throws InterruptedException {
    long until = System.nanoTime() + GATHER_NANOS;
    for (long left = GATHER_NANOS; left > 0 && batch.size() < BATCH; left = until - System.nanoTime()) {
      @Nullable Optional<ReadableSpan> next = queue.poll(left, TimeUnit.NANOSECONDS);
      if (next == null || next.isEmpty()) {
        return;
      }
      batch.add(next.get().toSpanData());
    }
  }

  private void send(List<SpanData> batch) {
    int size = batch.size();
    try {
      CompletableResultCode result = exporter.export(List.copyOf(batch)).join(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (result.isSuccess()) {
        exported.add(size);
        return;
      }
      failed(size, String.valueOf(result.getFailureThrowable()));
    } catch (RuntimeException e) {
      failed(size, e.toString());
    }
  }

  private void failed(int size, String why) {
    dropped.add(size);
    failures.count().ifPresent(times -> LOG.warn("The collector takes no spans ({} failures since the start): {}", times, why));
  }

  /** Sends what waits, for some seconds at most. */
  @Override
  public CompletableResultCode shutdown() {
    closing = true;
    // Wakes the thread; if the queue is full, it is awake.
    boolean woken = queue.offer(Optional.empty());
    try {
      if (!thread.join(woken ? UNTIL_ENDED : UNTIL_ENDED.plusSeconds(1))) {
        dropped.add(queue.size());
        queue.clear();
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // It waits for calls that hang, and the node must not.
    Thread.startVirtualThread(exporter::shutdown);
    return CompletableResultCode.ofSuccess();
  }
}
