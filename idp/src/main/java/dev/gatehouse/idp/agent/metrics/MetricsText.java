package dev.gatehouse.idp.agent.metrics;

import dev.gatehouse.idp.agent.offline.HeldCounts;
import dev.gatehouse.idp.agent.server.Attempts;
import dev.gatehouse.idp.agent.server.Attempts.Outcome;
import dev.gatehouse.idp.agent.server.ServerTimes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Supplier;

/** Writes the figures (Prometheus text format 0.0.4). */
public final class MetricsText {

  private final Attempts attempts;
  private final Supplier<List<ServerTimes>> servers;
  private final Supplier<Optional<HeldCounts>> held;

  public MetricsText(Attempts attempts, Supplier<List<ServerTimes>> servers, Supplier<Optional<HeldCounts>> held) {
    this.attempts = attempts;
    this.servers = servers;
    this.held = held;
  }

  String write() {
    StringBuilder text = new StringBuilder();
    family(text, "attempts_total", "counter", "Passcodes that programs of this host asked about.");
    for (Outcome outcome : Outcome.values()) {
      line(text, "attempts_total", labels(outcome), attempts.of(outcome));
    }
    List<ServerTimes> all = servers.get();
    family(text, "server_up", "gauge", "Whether the server is asked; 0 while it is left alone.");
    all.forEach(server -> line(text, "server_up", label(server), server.isUp() ? 1 : 0));
    times(text, all, "server_probe_seconds", "How soon the server answers probes, as a moving average.", ServerTimes::probeSeconds);
    times(text, all, "server_request_seconds", "How soon the server decides about passcodes, as a moving average of the last minute.",
        ServerTimes::requestSeconds);
    held.get().ifPresent(counts -> held(text, counts));
    return text.toString();
  }

  private static void held(StringBuilder text, HeldCounts counts) {
    family(text, "known", "gauge", "Whether the realm knew this agent when it last said so.");
    line(text, "known", "", counts.isKnown() ? 1 : 0);
    family(text, "held_people", "gauge", "People who are let in without a server.");
    line(text, "held_people", "", counts.people());
    family(text, "held_days", "gauge", "Days that are left to them, all together.");
    line(text, "held_days", "", counts.days());
    family(text, "uploads_waiting", "gauge", "Attempts without a server that the realm was not told about yet.");
    line(text, "uploads_waiting", "", counts.uploads());
  }

  private static void times(
      StringBuilder text, List<ServerTimes> all, String name, String help, Function<ServerTimes, OptionalDouble> time) {
    family(text, name, "gauge", help);
    for (ServerTimes server : all) {
      time.apply(server).ifPresent(seconds -> line(text, name, label(server), seconds));
    }
  }

  private static String labels(Outcome outcome) {
    return "by=\"" + outcome.by().name().toLowerCase(Locale.ROOT) + "\",result=\"" + outcome.result() + "\",reason=\"" + outcome.reason()
        + "\"";
  }

  /** Hosts in the configuration have letters, digits, points, hyphens and colons only. */
  private static String label(ServerTimes server) {
    return "server=\"" + server.server() + "\"";
  }

  private static void family(StringBuilder text, String name, String kind, String help) {
    text.append("# HELP gatehouse_agent_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE gatehouse_agent_").append(name).append(' ').append(kind).append('\n');
  }

  private static void line(StringBuilder text, String name, String labels, double value) {
    text.append("gatehouse_agent_").append(name).append(labels.isEmpty() ? "" : "{" + labels + "}").append(' ');
    text.append(value == Math.rint(value) ? String.valueOf((long) value) : String.format(Locale.ROOT, "%.6f", value)).append('\n');
  }
}
