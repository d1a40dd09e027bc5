package dev.gatehouse.common.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place of a request in a trace. Its parts get spans of their own if the request is sampled; otherwise every span is the same one
 * that does nothing. Work on virtual threads runs with the trace bound to the thread, so that directories and stores need not be
 * told of it.
 */
public final class RequestTrace {

  /** The fields by which an app continues the trace. */
  public static final String PARENT_FIELD = TraceParent.FIELD;

  public static final String STATE_FIELD = TraceParent.STATE_FIELD;

  /** No trace: tracing is off, or no request. */
  public static final RequestTrace NONE = new RequestTrace(null, Span.getInvalid(), "", new TraceParent("", ""));

  private static final ScopedValue<RequestTrace> CURRENT = ScopedValue.newInstance();

  /** The methods that have names of their own in spans, so that clients cannot invent names. */
  private static final Set<String> METHODS =
      Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE");

  private static final int CLIENT_GONE = 499;

  /** Where spans come from; null if the request has none. */
  private final @Nullable Spans spans;

  private final Span span;
  private final String method;
  private final TraceParent parent;

  /** Makes spans. */
  record Spans(Tracer tracer, InstantSource time) {}

  private RequestTrace(@Nullable Spans spans, Span span, String method, TraceParent parent) {
    this.spans = spans;
    this.span = span;
    this.method = method;
    this.parent = parent;
  }

  /** @param parent as the app gets it */
  static RequestTrace unsampled(TraceParent parent) {
    return new RequestTrace(null, Span.getInvalid(), "", parent);
  }

  /** @param sent by a trusted peer; empty if the trace begins here */
  static RequestTrace sampled(Spans spans, String method, Optional<TraceParent> sent) {
    String known = METHODS.contains(method) ? method : "_OTHER";
    Context above = sent.map(parent -> Context.root().with(Span.wrap(parent.context()))).orElse(Context.root());
    Span span = spans.tracer().spanBuilder(name(known)).setSpanKind(SpanKind.SERVER).setParent(above).startSpan();
    span.setAttribute("http.request.method", known);
    return new RequestTrace(spans, span, known, sent.orElse(new TraceParent("", "")));
  }

  private static String name(String method) {
    return method.equals("_OTHER") ? "HTTP" : method;
  }

  /** Returns whether the app gets the fields of a trace; those of the client are dropped then. */
  public boolean isOn() {
    return this != NONE;
  }

  public boolean isSampled() {
    return spans != null;
  }

  /** The id of the trace; empty without one. */
  public String traceId() {
    if (spans != null) {
      return span.getSpanContext().getTraceId();
    }
    return isOn() ? parent.traceId() : "";
  }

  /** The span of the request, or the one that does nothing. */
  public Span span() {
    return span;
  }

  /** Begins the span of a part of the request. The caller ends it. */
  public Span child(String name, SpanKind kind) {
    Spans by = spans;
    return by == null
        ? Span.getInvalid()
        : by.tracer().spanBuilder(name).setSpanKind(kind).setParent(Context.root().with(span)).startSpan();
  }

  /** Begins the span of the request to the app. */
  public Span upstream(String host, int port) {
    if (spans == null) {
      return Span.getInvalid();
    }
    return child(name(method), SpanKind.CLIENT)
        .setAttribute("http.request.method", method)
        .setAttribute("server.address", host)
        .setAttribute("server.port", port);
  }

  /** The same trace with another span as the parent of new ones. */
  public RequestTrace under(Span other) {
    return spans == null ? this : new RequestTrace(spans, other, method, parent);
  }

  /** The value of {@value #PARENT_FIELD} for a request to the app; empty without a trace. */
  public String parentField(Span to) {
    return spans == null ? parent.text() : TraceParent.text(to.getSpanContext());
  }

  /** The value of {@value #STATE_FIELD}, as it was sent; empty without one. */
  public String stateField() {
    return parent.state();
  }

  /**
   * Ends the span of the request.
   *
   * @param route the path that the configuration covers by the route; empty without one
   * @param status of the response; 499 if the client did not wait for it
   * @param refusal its reason; empty if the request was not refused
   */
  public void end(String route, int status, String refusal, String requestId) {
    if (spans == null) {
      return;
    }
    if (!route.isEmpty()) {
      span.setAttribute("http.route", route);
      span.updateName(name(method) + " " + route);
    }
    if (status == CLIENT_GONE) {
      span.setAttribute("error.type", "client_gone");
    } else {
      span.setAttribute("http.response.status_code", status);
    }
    if (status >= 500) {
      span.setAttribute("error.type", Integer.toString(status));
      span.setStatus(StatusCode.ERROR);
    }
    if (!refusal.isEmpty()) {
      span.setAttribute("gatehouse.refusal", refusal);
    }
    span.setAttribute("gatehouse.request.id", requestId);
    span.end();
  }

  /** Calls work of the request with the trace bound to the thread. */
  public <T, X extends Throwable> T call(ScopedValue.CallableOp<? extends T, X> work) throws X {
    return isOn() ? ScopedValue.where(CURRENT, this).call(work) : work.call();
  }

  /** The trace that is bound to this thread; {@link #NONE} outside of requests. */
  public static RequestTrace current() {
    return CURRENT.isBound() ? CURRENT.get() : NONE;
  }

  /** A part of a request that has a span. */
  public interface Part<T, X extends Throwable> {
    /** @param span for attributes; the one that does nothing if the request is not sampled */
    T call(Span span) throws X;
  }

  /** Does a part of the request, which gets a span if the request is sampled; spans of its own parts are below that one. */
  public static <T, X extends Throwable> T inSpan(String name, SpanKind kind, Part<? extends T, X> part) throws X {
    RequestTrace trace = current();
    Span span = trace.child(name, kind);
    if (!trace.isSampled()) {
      return part.call(span);
    }
    try {
      return trace.under(span).<T, X>call(() -> part.call(span));
    } finally {
      span.end();
    }
  }

  /** Adds the span of a part that has just ended on this thread, if its request is sampled. */
  public static void took(String name, SpanKind kind, long nanos) {
    RequestTrace trace = current();
    Spans by = trace.spans;
    if (by != null) {
      Instant end = by.time().instant();
      by.tracer().spanBuilder(name)
          .setSpanKind(kind)
          .setParent(Context.root().with(trace.span))
          .setStartTimestamp(end.minus(Duration.ofNanos(nanos)))
          .startSpan()
          .end(end);
    }
  }
}
