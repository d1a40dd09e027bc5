package dev.gatehouse.gateway.tracing;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.TracingConfig;
import dev.gatehouse.common.trace.Tracing;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.time.InstantSource;

/** The tracing of a node, and its connection to the collector. */
public final class NodeTracing implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Tracing tracing;
  private final Runnable closing;

  private NodeTracing(Tracing tracing, Runnable closing) {
    this.tracing = tracing;
    this.closing = closing;
  }

  /** The tracing that the node's configuration asks for, or none. */
  public static NodeTracing of(Node node, MeterRegistry meters, InstantSource time) {
    return node.gateway()
        .tracing()
        .map(config -> of(config, node.number(), meters, time))
        .orElseGet(() -> new NodeTracing(Tracing.OFF, () -> {}));
  }

  /** What is sampled is decided before a span is made, so the SDK records all. */
  private static NodeTracing of(TracingConfig config, int index, MeterRegistry meters, InstantSource time) {
    // Not compressed, like the protocol's default: gzip would take as much of the processor as the export itself.
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(config.endpoint().toString()).setTimeout(TIMEOUT);
    config.authorization().ifPresent(secret -> exporter.addHeader("Authorization", secret.value()));
    SpanExport export = new SpanExport(exporter.build());
    FunctionCounter.builder("gatehouse.tracing.spans.exported", export, SpanExport::exported)
        .description("Spans that the collector has taken")
        .register(meters);
    FunctionCounter.builder("gatehouse.tracing.spans.dropped", export, SpanExport::dropped)
        .description("Spans that were lost because the collector did not take them in time")
        .register(meters);
    Attributes service =
        Attributes.builder().put("service.name", config.service()).put("service.instance.id", Integer.toString(index)).build();
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(export)
            .setSampler(Sampler.alwaysOn())
            .setResource(Resource.getDefault().merge(Resource.create(service)))
            .build();
    return new NodeTracing(Tracing.by(provider.get("dev.gatehouse"), config.share(), time), provider::close);
  }

  public Tracing tracing() {
    return tracing;
  }

  @Override
  public void close() {
    closing.run();
  }
}
