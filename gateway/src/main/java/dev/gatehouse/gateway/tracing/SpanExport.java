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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends ended spans in batches. Requests only put them into a queue; what the queue or the collector does not take is dropped and
 * counted. The thread that sends sleeps meanwhile, because waking it for each span would cost the request more than the span.
 */
final class SpanExport implements SpanProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(SpanExport.class);

  static final int QUEUE = 4096;
  private static final int BATCH = 512;
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long PATIENCE_SECONDS = 12;
  private static final Duration UNTIL_ENDED = Duration.ofSeconds(2);

  private final SpanExporter exporter;
  private final Queue<ReadableSpan> queue = new ConcurrentLinkedQueue<>();
  /** Spans in the queue, and those that are about to be. */
  private final AtomicInteger waiting = new AtomicInteger();
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
    int now = waiting.incrementAndGet();
    if (closing || now > QUEUE) {
      waiting.decrementAndGet();
      dropped.increment();
      return;
    }
    queue.add(span);
    if (now == BATCH) {
      LockSupport.unpark(thread);
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
    while (!closing || waiting.get() > 0) {
      if (!closing && waiting.get() < BATCH) {
        LockSupport.parkNanos(GATHER_NANOS);
      }
      gather(batch);
      if (!batch.isEmpty()) {
        send(batch);
        batch.clear();
      }
    }
  }

  private void gather(List<SpanData> batch) {
    for (ReadableSpan next = queue.poll(); next != null; next = queue.poll()) {
      waiting.decrementAndGet();
      batch.add(next.toSpanData());
      if (batch.size() == BATCH) {
        return;
      }
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
      failed(size, why(result));
    } catch (RuntimeException e) {
      failed(size, e.toString());
    }
  }

  private static String why(CompletableResultCode result) {
    if (!result.isDone()) {
      return "no answer within " + PATIENCE_SECONDS + " s";
    }
    return Optional.ofNullable(result.getFailureThrowable()).map(Throwable::toString).orElse("it refuses them");
  }

  private void failed(int size, String why) {
    dropped.add(size);
    failures.count().ifPresent(times -> LOG.warn("The collector takes no spans ({} failures since the start): {}", times, why));
  }

  /** Sends what waits, for some seconds at most. */
  @Override
  public CompletableResultCode shutdown() {
    closing = true;
    LockSupport.unpark(thread);
    try {
      if (!thread.join(UNTIL_ENDED)) {
        dropped.add(waiting.getAndSet(0));
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
