package dev.gatehouse.common.trace;

import dev.gatehouse.common.trace.RequestTrace.Spans;
import io.opentelemetry.api.trace.Tracer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Begins traces of requests. A trusted peer's decision whether a trace is sampled counts; of other requests a share is sampled, before
 * anything is made for them.
 */
public final class Tracing {

  /** Tracing is off. */
  public static final Tracing OFF = new Tracing(null, 0);

  private final @Nullable Spans spans;
  private final double share;

  private Tracing(@Nullable Spans spans, double share) {
    this.spans = spans;
    this.share = share;
  }

  /** @param share of the requests without a trusted peer's decision that are sampled, 0 to 1 */
  public static Tracing by(Tracer tracer, double share, InstantSource time) {
    return new Tracing(new Spans(tracer, time), share);
  }

  public boolean isOn() {
    return spans != null;
  }

  /**
   * Begins the trace of a request.
   *
   * @param parents values of {@code traceparent} that a trusted peer sent; empty for other peers
   * @param states values of {@code tracestate} that it sent
   * @param random for the decision and for ids; no secrets
   */
  public RequestTrace begin(String method, List<String> parents, List<String> states, RandomGenerator random) {
    Spans by = spans;
    if (by == null) {
      return RequestTrace.NONE;
    }
    Optional<TraceParent> sent = parents.isEmpty() ? Optional.empty() : TraceParent.of(parents, states);
    boolean sampled = sent.isPresent() ? sent.get().isSampled() : random.nextDouble() < share;
    return sampled
        ? RequestTrace.sampled(by, method, sent)
        : RequestTrace.unsampled(sent.orElseGet(() -> TraceParent.unsampled(random)));
  }
}
