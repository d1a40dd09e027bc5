package dev.gatehouse.common.node;

import dev.gatehouse.common.realm.Secret;
import java.net.URI;
import java.util.Optional;

/**
 * Traces of requests for an OpenTelemetry collector.
 *
 * @param endpoint takes spans by OTLP over HTTP
 * @param share of requests that are sampled unless a trusted proxy has decided, 0 to 1
 * @param service the name of this service in traces
 * @param authorization value of that field for the collector
 */
public record TracingConfig(URI endpoint, double share, String service, Optional<Secret> authorization) {}
