package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.node.TracingConfig;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.util.Optional;

/** Reads {@code tracing} of {@code gatehouse.yaml}. */
final class TracingYaml {

  static final Section KEYS = new Section();
  private static final Key<URI> ENDPOINT =
      KEYS.required(
          "endpoint", Type.URL, "http://127.0.0.1:4318/v1/traces",
          "write the URL at which the collector takes spans by OTLP over HTTP, like http://127.0.0.1:4318/v1/traces",
          "The collector's URL for spans (OTLP over HTTP).");
  private static final Key<Double> SAMPLE =
      KEYS.key(
          "sample", Type.matching("percentage, 0% to 100%", "^\\d{1,3}(\\.\\d{1,4})?%$", TracingYaml::share), "1%",
          "Share of requests that are sampled. A decision in `traceparent` of one of `trustedProxies` counts instead.");
  private static final Key<String> SERVICE =
      KEYS.key("service", Type.NAME, "gatehouse", "The name of this service in traces (`service.name`).");
  private static final Key<Secret> AUTHORIZATION =
      KEYS.key(
          "authorization", Type.SECRET, "e.g. Bearer ${COLLECTOR_TOKEN}",
          "The value of `Authorization` for the collector; needs https, or a collector on this machine.");

  private TracingYaml() {}

  static Optional<TracingConfig> read(YamlSection tracing) {
    double share = tracing.get(SAMPLE);
    Optional<Secret> authorization = tracing.find(AUTHORIZATION);
    Optional<URI> endpoint = tracing.find(ENDPOINT);
    boolean isClear = endpoint.filter(url -> url.getScheme().equalsIgnoreCase("http") && !Loopback.isName(url.getHost())).isPresent();
    if (authorization.isPresent() && isClear) {
      tracing.problem(AUTHORIZATION, "would cross the network in clear text", "write an https endpoint");
    }
    return endpoint.map(url -> new TracingConfig(url, share, tracing.get(SERVICE), authorization));
  }

  private static Optional<Double> share(YamlValue value) {
    String text = value.text();
    if (text.matches("\\d{1,3}(\\.\\d{1,4})?%")) {
      double percent = Double.parseDouble(text.substring(0, text.length() - 1));
      if (percent <= 100) {
        return Optional.of(percent / 100);
      }
    }
    return value.wrong(value.shown() + " is not a share of the requests", "write a percentage from 0% to 100%, like 1%");
  }
}
