package dev.gatehouse.gateway.metrics;

import dev.gatehouse.gateway.metrics.NodeReport.Part;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;

/** Reports what Spring Boot's Actuator says at the admin listener, without components. */
public final class ActuatorReport implements NodeReport {

  /** A file or a store is looked at no more often, however many clients ask. */
  private static final Duration AGE = Duration.ofMillis(500);

  /** A store that all nodes share does not answer, or is refused. */
  public static final Status AWAY = new Status("AWAY");

  /** As at the admin listener: these are answered with 503. */
  private static final Set<Status> UNAVAILABLE = Set.of(Status.DOWN, Status.OUT_OF_SERVICE, AWAY);

  private static final Map<Part, String[]> PATHS =
      Map.of(
          Part.NODE, new String[0], Part.LIVE, new String[] {"liveness"}, Part.READY, new String[] {"readiness"}, Part.SERVING,
          new String[] {"readiness"});

  private final SharedResult<byte[]> metrics;
  private final Map<Part, SharedResult<State>> states = new EnumMap<>(Part.class);

  public ActuatorReport(HealthEndpoint health, PrometheusMeterRegistry meters) {
    this.metrics = new SharedResult<>(() -> scrape(meters), Duration.ZERO, System::nanoTime);
    PATHS.forEach((part, path) -> states.put(part, new SharedResult<>(() -> state(health, part, path), AGE, System::nanoTime)));
  }

  @Override
  public byte[] metrics() {
    return metrics.get();
  }

  @Override
  public State state(Part part) {
    return Objects.requireNonNull(states.get(part)).get();
  }

  private static State state(HealthEndpoint health, Part part, String[] path) {
    HealthDescriptor found = health.healthForPath(path);
    Status status = found == null ? Status.UNKNOWN : found.getStatus();
    return new State(status.getCode(), part == Part.SERVING && status.equals(AWAY) || !UNAVAILABLE.contains(status));
  }

  private static byte[] scrape(PrometheusMeterRegistry meters) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64 * 1024);
    try {
      meters.scrape(out, Answer.PROMETHEUS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
