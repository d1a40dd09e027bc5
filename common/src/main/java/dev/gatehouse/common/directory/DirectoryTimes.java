package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.trace.RequestTrace;
import io.opentelemetry.api.trace.SpanKind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How long the servers of directories take, without the wait for a free connection, and how often they fail. */
final class DirectoryTimes {

  private final Histogram searches = new Histogram();
  private final Histogram binds = new Histogram();
  private final LongAdder failures = new LongAdder();

  <T> T measured(Connections.Use use, LdapServer.Work<T> work, LDAPConnection connection) throws LDAPException {
    long begun = System.nanoTime();
    try {
      return work.on(connection);
    } finally {
      Histogram times =
          switch (use) {
            case SEARCH -> searches;
            case BIND -> binds;
          };
      long nanos = System.nanoTime() - begun;
      times.record(nanos);
      RequestTrace.took(use == Connections.Use.SEARCH ? "directory search" : "directory bind", SpanKind.CLIENT, nanos);
    }
  }

  void failed() {
    failures.increment();
  }

  void publish(MetricFamilies metrics) {
    HistogramFamily.builder("gatehouse.directory.duration")
        .description("Time that directory servers took, by kind of operation")
        .tag("operation")
        .register(metrics)
        .with(searches, "search")
        .with(binds, "bind");
    SampleFamily.builder("gatehouse.directory.failures")
        .description("Operations that a directory server failed or did not take")
        .counter(() -> Map.of(List.of(), (double) failures.sum()))
        .register(metrics);
  }
}
