package dev.gatehouse.perf.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Repeats one GET with wrk on one thread, which is cheap enough to leave a second core to the server. */
final class WrkLoad implements Load {

  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s)");
  private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in (\\S+),");
  private static final Pattern HALF = Pattern.compile("(?m)^\\s+50%\\s+(\\d\\S+)");
  private static final Pattern MOST = Pattern.compile("(?m)^\\s+99%\\s+(\\d\\S+)$");
  private static final Pattern WRONG = Pattern.compile("(?m)^ *(Non-2xx or 3xx responses: \\d+|Socket errors: .*)$");

  private final Measured server;
  private final String work;
  private final String url;
  private final int connections;
  private final List<String> fields;

  /** @param fields header fields, for example {@code Cookie: a=b} */
  WrkLoad(Measured server, String work, String url, int connections, List<String> fields) {
    this.server = server;
    this.work = work;
    this.url = url;
    this.connections = connections;
    this.fields = List.copyOf(fields);
  }

  @Override
  public WorkWindow run(String phase, int seconds) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("wrk", "-t1", "-c" + connections, "-d" + seconds + "s", "--latency"));
    for (String field : fields) {
      command.addAll(List.of("-H", field));
    }
    command.add(url);
    double[] before = server.cpu();
    String output = run(command);
    double[] after = server.cpu();
    Matcher total = TOTAL.matcher(output);
    Matcher wrong = WRONG.matcher(output);
    if (!total.find() || wrong.find()) {
      throw new IOException("wrk at " + server.name() + ", " + url + ":\n" + output);
    }
    double took = millis(total.group(2)) / 1000;
    return new WorkWindow(
        server.name(), work, phase, took, Long.parseLong(total.group(1)), latency(HALF, output), latency(MOST, output),
        server.costs(before, after));
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process wrk;
    try {
      wrk = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IOException("wrk cannot be started (Debian: apt-get install wrk)", e);
    }
    String output = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (wrk.waitFor() != 0) {
      throw new IOException("wrk failed:\n" + output);
    }
    return output;
  }

  private static double latency(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
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

  @Override
  public void close() {}
}
