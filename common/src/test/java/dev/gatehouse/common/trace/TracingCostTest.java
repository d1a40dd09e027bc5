package dev.gatehouse.common.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tracing allocates for a request: nothing while it is off, and a field for the app where it is not sampled. */
@Timeout(60)
class TracingCostTest {

  private static final int REQUESTS = 20_000;
  private static final int ROUNDS = 200;

  private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

  /** As a request to an app does it. */
  private int request(Tracing tracing) {
    RequestTrace trace = tracing.isOn() ? tracing.begin("GET", List.of(), List.of(), random) : RequestTrace.NONE;
    Span session = trace.child("session", SpanKind.INTERNAL);
    Span decision = trace.child("decision", SpanKind.INTERNAL);
    Span upstream = trace.upstream("127.0.0.1", 80);
    int recorded = session.isRecording() || decision.isRecording() || upstream.isRecording() ? 1 : 0;
    RequestTrace.took("store read", SpanKind.INTERNAL, 1000);
    recorded += RequestTrace.inSpan("saml read", SpanKind.INTERNAL, span -> span.isRecording() || trace.isSampled() ? 1 : 0);
    upstream.end();
    trace.end("/", 200, "", "id");
    return recorded + (trace.isOn() ? trace.parentField(upstream).length() : 0);
  }

  /** Bytes that a request allocates, once the compiler has done its work, which takes longer on a busy machine. */
  private long bytes(Tracing tracing) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().threadId();
    long least = Long.MAX_VALUE;
    long sum = 0;
    int rounds = 0;
    while (rounds < ROUNDS && (rounds < 20 || least >= REQUESTS)) {
      rounds++;
      long before = threads.getThreadAllocatedBytes(self);
      for (int i = 0; i < REQUESTS; i++) {
        sum += request(tracing);
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
    }
    assertThat(sum).isEqualTo(tracing.isOn() ? 55L * rounds * REQUESTS : 0);
    return least / REQUESTS;
  }

  @Test
  void aRequestAllocatesNothingWhileTracingIsOff() {
    assertThat(bytes(Tracing.OFF)).isZero();
  }

  @Test
  void aRequestThatIsNotSampledAllocatesLittle() {
    assertThat(bytes(Tracing.by(OpenTelemetry.noop().getTracer("test"), 0, InstantSource.system()))).isLessThan(1000);
  }
}
