package dev.gatehouse.perf.harness;

import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Repeats one GET with wrk on one thread, which is cheap enough to leave a second core to the server. */
public final class WrkLoad extends Load {

  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s)");
  private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in (\\S+),");
  private static final Pattern WRONG = Pattern.compile("(?m)^ *(Non-2xx or 3xx responses: \\d+|Socket errors: .*)$");

  private final List<String> command;
  private final String url;

  /** @param fields header fields, for example {@code Cookie: a=b} */
  public WrkLoad(Server server, String row, String url, int connections, List<String> fields) {
    super(server, row);
    this.url = url;
    this.command = new ArrayList<>(List.of("wrk", "-t1", "-c" + connections, "--latency"));
    fields.forEach(field -> command.addAll(List.of("-H", field)));
  }

  @Override
  public Iteration run(Iteration.Phase phase, int seconds) throws IOException, InterruptedException {
    List<String> complete = new ArrayList<>(command);
    complete.addAll(List.of("-d" + seconds + "s", url));
    List<Iteration.Cost> before = server().costs();
    String output = Commands.output(complete);
    Matcher total = TOTAL.matcher(output);
    if (!total.find() || WRONG.matcher(output).find()) {
      throw new IOException("wrk at " + server().name() + ", " + url + ":\n" + output);
    }
    long operations = Long.parseLong(total.group(1));
    double mean = latency("Latency", output);
    Iteration.Step step =
        new Iteration.Step(
            row(), operations, 0, mean, latency("50%", output), 0, latency("99%", output), 0);
    return iteration(phase, millis(total.group(2)) / 1000, operations, List.of(step), before);
  }

  private static double latency(String name, String output) {
    Matcher matcher = Pattern.compile("(?m)^\\s+" + name + "\\s+(\\d\\S+)").matcher(output);
    return matcher.find() ? millis(matcher.group(1)) : 0;
  }

  private static double millis(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw new IllegalArgumentException("no time: " + text);
    }
    double number = Double.parseDouble(time.group(1));
    return switch (time.group(2)) {
      case "us" -> number / 1000;
      case "ms" -> number;
      case String seconds -> number * 1000;
    };
  }
}
