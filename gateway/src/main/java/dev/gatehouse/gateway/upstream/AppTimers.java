package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.StatusTimers;

/**
 * The timers of routes and of apps' servers.
 *
 * @param routes how long requests took, from their last header line to the last byte of the response
 * @param servers how long apps' servers took to respond
 */
public record AppTimers(StatusTimers routes, StatusTimers servers) {

  /**
   * @param most routes, and servers, that have timers of their own
   */
  public static AppTimers of(MetricFamilies histograms, int most) {
    HistogramFamily requests =
        HistogramFamily.builder("gatehouse.gateway.request.duration")
            .description("Duration of requests by realm, route, first server of the app and class of the status")
            .tag("realm").tag("route").tag("upstream").tag("status")
            .register(histograms);
    HistogramFamily responses =
        HistogramFamily.builder("gatehouse.gateway.upstream.duration")
            .description("Time that the servers of apps took to respond")
            .tag("upstream").tag("status")
            .register(histograms);
    return new AppTimers(new StatusTimers(requests, most), new StatusTimers(responses, most));
  }

  /** Timers that nobody reads. */
  static AppTimers unread() {
    return new AppTimers(
        new StatusTimers(HistogramFamily.unread("realm", "route", "upstream", "status"), 1),
        new StatusTimers(HistogramFamily.unread("upstream", "status"), 1));
  }
}
